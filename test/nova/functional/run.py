#!/usr/bin/env python3
"""Runs functional tests of Nova over upstream's Placement, over this gateway's REST, or over its GraphQL. See README.md."""
import argparse
import json
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
WAYS = ('upstream', 'rest', 'graphql')


class Outcomes(unittest.TestResult):
    """The outcome of each test by its id, or what went wrong."""

    def __init__(self):
        super().__init__()
        self.of = {}

    def addSuccess(self, test):
        self.of[test.id()] = 'passed'

    def addSkip(self, test, reason):
        self.of[test.id()] = 'skipped'

    def addError(self, test, err):
        self.of[test.id()] = self._exc_info_to_string(err, test)

    addFailure = addError

    def addExpectedFailure(self, test, err):
        self.of[test.id()] = 'passed'

    def addUnexpectedSuccess(self, test):
        self.of[test.id()] = 'passed, though it is expected to fail'


def run_module(args):
    """In a process of its own, because Nova's fixtures change the process."""
    from nova import test  # noqa: F401  patches the process for eventlet first
    from nova.conf import paths
    original = paths.state_path_def
    paths.state_path_def = lambda *names: args.paste if names[-1].endswith('api-paste.ini') else original(*names)
    calls = {}
    if 'upstream' not in args.way:
        import gateway
        calls = gateway.install(args.url, shim='graphql' in args.way)
    result = Outcomes()
    unittest.defaultTestLoader.loadTestsFromNames(args.names).run(result)
    with open(args.one, 'w', encoding='utf-8') as file:
        json.dump({'outcomes': result.of, 'calls': calls}, file, indent=1)
    sys.stdout.flush()
    os._exit(0)  # threads of stopped services would keep it alive


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--way', choices=WAYS, action='append', help='all three by default')
    parser.add_argument('names', nargs='*', help='modules, classes or tests below nova.tests.functional; those of modules.txt by default')
    parser.add_argument('--url', default='http://127.0.0.1:8779')
    parser.add_argument('--paste', default='nova-common/usr/share/nova-common/api-paste.ini', help='from the package nova-common')
    parser.add_argument('--results', default='/tmp/nova-functional', help='where outcomes are kept')
    parser.add_argument('--one', help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.way, args.results = args.way or WAYS, os.path.abspath(args.results)
    if args.one:
        run_module(args)
    with open(os.path.join(HERE, 'modules.txt'), encoding='utf-8') as file:
        names = args.names or file.read().split()
    print('%-40s %s' % ('passed of (without skipped)', ' '.join('%12s' % way for way in args.way)))
    for name in names:
        counts, notes = [], []
        for way in args.way:
            outcomes, calls = run_way(args, way, name)
            ran = [test for test, outcome in outcomes.items() if outcome != 'skipped']
            wrong = [test for test in ran if outcomes[test] != 'passed']
            counts.append('%12s' % ('%d of %d' % (len(ran) - len(wrong), len(ran))))
            notes += ['    %s: %s' % (way, test.partition(name)[2][1:]) for test in wrong]
            if calls:
                notes.append('    %s: %s' % (way, ', '.join('%d × %s' % (number, what) for what, number in sorted(calls.items()))))
        print('\n'.join(['%-40s %s' % (name, ' '.join(counts)), *notes]), flush=True)


def run_way(args, way, name):
    out = os.path.join(args.results, way, name + '.json')
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with open(out[:-4] + 'log', 'w', encoding='utf-8') as log:
        subprocess.run([sys.executable, __file__, 'nova.tests.functional.' + name, '--way', way, '--url', args.url,
                        '--paste', os.path.abspath(args.paste), '--one', out],
                       stdout=log, stderr=log, cwd=args.results, env={**os.environ, 'OS_TEST_TIMEOUT': '300'}, check=True)
    with open(out, encoding='utf-8') as file:
        return json.load(file).values()


if __name__ == '__main__':
    main()
