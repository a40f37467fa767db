// The hosts that a caller includes, excludes or prefers: by service host, by node, or both, as Nova names them. A service host may have several nodes.

import type { RootRule } from '../../domain/candidates/request.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import { findCountedRoots, findRecordedNames } from '../../operations/records/records.ts';
import { InputCheck } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { nodeRecords } from '../compute-nodes/compute-nodes.ts';
import { failedBuildsFact } from '../services/compute-program.ts';

/** A service host, a node, or, with both, the node of that service host. */
export interface HostName {
  /** Ignoring case, as in Nova. */
  readonly host?: Optional<string>;
  /** The hypervisor hostname. */
  readonly node?: Optional<string>;
}

export interface HostChoice {
  /** The host must be one of these. */
  readonly only?: Optional<readonly HostName[]>;
  readonly except?: Optional<readonly HostName[]>;
  /** Hosts where the instance was tried before. */
  readonly tried?: Optional<readonly HostName[]>;
  /** Hosts that come before all others, if they can serve. */
  readonly prefer?: Optional<readonly HostName[]>;
}

/** Hosts by the uuids of their roots. */
export interface ChosenHosts {
  readonly rules: readonly RootRule[];
  readonly preferred: ReadonlySet<string>;
  readonly failedBuilds: ReadonlyMap<string, number>;
}

/** A list of names with its path in the input. If there are several lists of the kind `only`, a host must be in all of them. */
export interface NamedHosts {
  readonly kind: 'only' | 'except' | 'tried' | 'prefer';
  readonly names: readonly HostName[];
  readonly path: Path;
}

const words = {
  only: 'among the named hosts',
  except: 'outside the excluded hosts',
  tried: 'outside the hosts that were tried before',
};

/** The lists of a choice. */
export function namedHosts(choice: Optional<HostChoice>, path: Path): NamedHosts[] {
  const kinds = ['only', 'except', 'tried', 'prefer'] as const;
  return kinds.flatMap((kind) => {
    const names = choice?.[kind];
    return names ? [{ kind, names, path: [...path, kind] }] : [];
  });
}

/**
 * Finds the named hosts, and with `weighs` those that report failed builds. At most one statement for each. Refuses INVALID_INPUT for an empty name, and if an
 * `only` list names no known host. Otherwise unknown hosts are ignored, as in Nova.
 */
export async function findHosts(
  scope: RequestScope,
  lists: readonly NamedHosts[],
  { weighs }: { readonly weighs: boolean },
): Promise<ChosenHosts> {
  checkNames(lists);
  const all = lists.flatMap(({ names }) => names);
  const hosts = all.flatMap(({ host }) => host?.toLowerCase() ?? []);
  const names = all.flatMap(({ node }) => node ?? []);
  const [known, failing] = await Promise.all([
    all.length > 0 ? findRecordedNames(scope, nodeRecords, { fact: 'host', values: hosts, names }) : [],
    weighs ? findCountedRoots(scope, nodeRecords, failedBuildsFact) : [],
  ]);
  const rootsOf = ({ host, node }: HostName) =>
    known.filter(({ name, value }) => (!node || node === name) && (!host || host.toLowerCase() === value.toLowerCase()));
  const uuidsOf = (list: readonly HostName[]) => new Set(list.flatMap((name) => rootsOf(name).map(({ uuid }) => uuid)));
  const rules = lists.flatMap(({ kind, names: list, path }): RootRule[] => {
    if (kind === 'prefer') return [];
    const uuids = uuidsOf(list);
    if (kind === 'only' && uuids.size === 0) throw invalidInput(path, `names no known compute node: ${list.map(renderName).join(', ')}`);
    if (kind === 'only') return [{ words: words.only, only: uuids }];
    return uuids.size > 0 ? [{ words: words[kind], except: uuids }] : [];
  });
  return {
    rules,
    preferred: uuidsOf(lists.filter(({ kind }) => kind === 'prefer').flatMap(({ names: list }) => list)),
    failedBuilds: new Map(failing.map(({ uuid, count }) => [uuid, count])),
  };
}

function checkNames(lists: readonly NamedHosts[]): void {
  const check = new InputCheck();
  for (const { names, path } of lists) {
    check.size(path, names, 0, limits.namedHosts);
    for (const [index, { host, node }] of names.entries()) {
      const here = [...path, index];
      check.text([...here, 'host'], host, maxNameLength);
      check.text([...here, 'node'], node, maxNameLength);
      if (!host && !node) check.add(here, 'must have a host, a node or both');
    }
  }
  check.done();
}

const renderName = ({ host, node }: HostName) => [host && `host ${host}`, node && `node ${node}`].filter(Boolean).join(' ');
