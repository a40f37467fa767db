#!/usr/bin/env python3
"""Makes the vectors of test/nova/oracle: draws inputs at random, asks an installed Nova, and writes both as lines of JSON.

    python3 make.py                      the stored vectors again
    python3 make.py --seed 7 --into x    other ones, to look for differences that the stored ones do not show; --times 10 makes ten times as many

Needs an installed Nova, such as the package python3-nova of Debian; its release is written into each file. Nothing of Nova is copied: only what it
answers is kept. No input is chosen by hand, and none is left out because of its answer.
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).parent
STORED_SEED = 20261126
COUNTS = {
    'flavors': 2500, 'extra_specs': 800, 'cells': 2400, 'devices': 800, 'objects_on_the_wire': 600, 'hosts': 300, 'groups': 300, 'hints': 150}


def main():
    given = arguments()
    if os.environ.get('PYTHONHASHSEED') != '0':
        # Nova iterates over sets of words, whose order would otherwise be another one in each run.
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, 'PYTHONHASHSEED': '0'})
    sys.path.insert(0, str(HERE / 'draws'))
    sys.dont_write_bytecode = True
    import nova_as_oracle
    print(f'Nova {nova_as_oracle.RELEASE}, seed {given.seed}')
    given.into.mkdir(exist_ok=True)
    for kind in [given.kind] if given.kind else COUNTS:
        head = {'kind': kind, 'nova': nova_as_oracle.RELEASE, 'seed': given.seed, 'vectors': COUNTS[kind] * given.times}
        write(given.into / f'{kind.replace("_", "-")}.jsonl.gz', head)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--seed', type=int, default=STORED_SEED)
    parser.add_argument('--times', type=int, default=1, help='how many times the usual number of vectors')
    parser.add_argument('--kind', choices=COUNTS, help='only this kind')
    parser.add_argument('--into', type=pathlib.Path, default=HERE / 'vectors')
    return parser.parse_args()


def write(path, head):
    lines = [json.dumps(line, separators=(',', ':')) for line in [head, *vectors(head)]]
    path.write_bytes(gzip.compress('\n'.join([*lines, '']).encode(), mtime=0))
    print(f'{path.name}: {head["vectors"]} vectors, {path.stat().st_size} bytes')


def vectors(head):
    """Each vector has dice of its own, so that one more draw in one of them does not change the others."""
    draw = __import__(head['kind']).draw
    for number in range(head['vectors']):
        yield draw(random.Random(f'{head["seed"]} {head["kind"]} {number}'))


if __name__ == '__main__':
    main()
