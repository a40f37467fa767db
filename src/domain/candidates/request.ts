// What a search for allocation candidates is asked for: groups of resources with conditions, and conditions on the whole. The types, and the
// checks that need no cloud: contradictions, missing policies, groups that refer to each other wrongly. Knows no provider.
import type { MembershipClause, ResourceAmount } from '../provider.ts';

/** A group of a request: what it takes, and from what kind of provider. */
export interface RequestGroup {
  /** Empty for the one group that may spread over a tree; every other group is served whole by one provider. */
  readonly suffix: string;
  /** Empty only for a suffixed group that stands in a `sameSubtree`: it picks a provider and takes nothing. */
  readonly resources: readonly ResourceAmount[];
  /** Trait names. */
  readonly traits: readonly MembershipClause[];
  /** Aggregate uuids. */
  readonly aggregates: readonly MembershipClause[];
  /** A provider of the tree from which to take; null for any. */
  readonly inTree: string | null;
}

/** By what is free of a class in a tree; trees without it come last either way. */
export interface FreeSortKey {
  readonly by: 'FREE';
  readonly resourceClass: string;
  readonly descending: boolean;
}

/** In which order trees are tried, most important key first: age and chance leave no ties. By age, oldest first, where there is none. */
export type CandidateSortKey =
  | FreeSortKey
  | { readonly by: 'CREATED_AT'; readonly descending: boolean }
  | { readonly by: 'RANDOM'; readonly seed: number };

/** The keys that are about a class, and what decides between what they leave alike. */
export function partsOfOrder(order: readonly CandidateSortKey[]): {
  readonly free: readonly FreeSortKey[];
  readonly last: Exclude<CandidateSortKey, FreeSortKey>;
} {
  const free = order.filter((key): key is FreeSortKey => key.by === 'FREE');
  const last = order.find((key): key is Exclude<CandidateSortKey, FreeSortKey> => key.by !== 'FREE');
  return { free, last: last ?? { by: 'CREATED_AT', descending: false } };
}

export interface CandidateRequest {
  readonly groups: readonly RequestGroup[];
  /** ISOLATE: the suffixed groups are served by different providers. */
  readonly groupPolicy: 'NONE' | 'ISOLATE';
  /** Traits of the root under which a candidate stands. */
  readonly rootTraits: readonly MembershipClause[];
  /** Aggregates of that root itself, whoever gives something. */
  readonly rootAggregates?: readonly MembershipClause[];
  /** Each a list of suffixes: of their providers one is at or above all others. */
  readonly sameSubtree: readonly (readonly string[])[];
  /** Most candidates; null for all. */
  readonly limit: number | null;
  /** Most candidates under one root; null for all. */
  readonly perRootLimit: number | null;
  readonly order: readonly CandidateSortKey[];
  /** As before nested providers (Placement 1.29): no candidate takes from two providers of one tree. */
  readonly withoutNested?: boolean;
}

/** What is wrong with a request, and where: a path into it. */
export interface RequestFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Suffixes of groups. */
const suffixPattern = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Everything that contradicts itself in a request; empty when it can be searched. Whether the names in it exist is not looked at.
 * Rules of Placement 1.36 and 1.39, but for `groupPolicy`, which has a default here.
 */
export function requestFaults({ groups, rootTraits, rootAggregates, sameSubtree }: CandidateRequest): RequestFault[] {
  const faults: RequestFault[] = [];
  const add = (path: readonly (string | number)[], message: string) => faults.push({ path, message });
  const related = new Set(sameSubtree.flat());
  const seen = new Set<string>();
  if (!groups.some(({ resources }) => resources.length > 0)) add(['groups'], 'at least one group must ask for resources');
  for (const [index, { suffix, resources, traits, aggregates }] of groups.entries()) {
    const here = ['groups', index];
    const called = suffix === '' ? 'the group without suffix' : `group ${suffix}`;
    if (seen.has(suffix))
      add([...here, 'suffix'], suffix === '' ? 'only one group may be without a suffix' : `${called} stands here twice`);
    if (suffix !== '' && !suffixPattern.test(suffix)) add([...here, 'suffix'], 'a suffix has 1 to 64 letters, digits, _ or -');
    seen.add(suffix);
    if (resources.length === 0 && suffix === '') add([...here, 'resources'], `${called} must ask for resources`);
    if (resources.length === 0 && suffix !== '' && !related.has(suffix)) {
      add([...here, 'resources'], `${called} asks for nothing, so it must stand in a sameSubtree`);
    }
    const twice = findTwice(resources.map(({ resourceClass }) => resourceClass));
    if (twice >= 0) add([...here, 'resources', twice, 'resourceClass'], `${called} names ${resources[twice]?.resourceClass} twice`);
    addContradiction(faults, [...here, 'traits'], called, traits);
    addContradiction(faults, [...here, 'aggregates'], called, aggregates);
  }
  addContradiction(faults, ['rootTraits'], 'the root', rootTraits);
  addContradiction(faults, ['rootAggregates'], 'the root', rootAggregates ?? []);
  for (const [index, suffixes] of sameSubtree.entries()) {
    if (suffixes.length === 0) add(['sameSubtree', index, 'groups'], 'must name at least one group');
    for (const [place, suffix] of suffixes.entries()) {
      const path = ['sameSubtree', index, 'groups', place];
      if (suffix === '') add(path, 'the group without suffix may spread over a tree, so it cannot stand in a sameSubtree');
      else if (!seen.has(suffix)) add(path, `there is no group ${suffix}`);
    }
  }
  return faults;
}

function findTwice(names: readonly string[]): number {
  return names.findIndex((name, index) => names.indexOf(name) !== index);
}

/** A message names so many at most. */
const mostNamed = 10;

/** A set of which every member is forbidden can never be met. */
function addContradiction(
  faults: RequestFault[],
  path: readonly (string | number)[],
  called: string,
  clauses: readonly MembershipClause[],
): void {
  const { required, forbidden } = flattenClauses(clauses);
  const excluded = new Set(forbidden);
  for (const set of required) {
    if (!set.every((name) => excluded.has(name))) continue;
    faults.push({
      path,
      message:
        set.length === 0 ? `anyOf of ${called} is empty` : `${called} both requires and forbids ${set.slice(0, mostNamed).join(', ')}`,
    });
  }
}

/** Clauses as one list of sets, of each of which one member must be there, and one list of what must not. */
export function flattenClauses(clauses: readonly MembershipClause[]): { required: (readonly string[])[]; forbidden: string[] } {
  const required = clauses.flatMap(({ allOf = [], anyOf }) => [...allOf.map((name) => [name]), ...(anyOf ? [anyOf] : [])]);
  return { required, forbidden: clauses.flatMap(({ noneOf = [] }) => noneOf) };
}
