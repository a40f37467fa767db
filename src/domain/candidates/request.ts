// A request for allocation candidates: groups of resources with conditions, and conditions on the whole. The types, and the checks that
// need no providers: contradictions and invalid references between groups.
import { limits } from '../limits.ts';
import type { MembershipClause, ResourceAmount } from '../provider.ts';
import type { ForestProvider } from './forest.ts';
import type { UsedAmount } from './supposed-use.ts';

/** A group of a request: what to allocate, and from what kind of provider. */
export interface RequestGroup {
  /** Empty for the unsuffixed group, which may be spread over a tree; every other group is served by one provider. */
  readonly suffix: string;
  /** Empty only for a suffixed group named in a `sameSubtree`: it selects a provider without allocating from it. */
  readonly resources: readonly ResourceAmount[];
  /** Trait names. */
  readonly traits: readonly MembershipClause[];
  /** Aggregate uuids. */
  readonly aggregates: readonly MembershipClause[];
  /** Uuids of providers, in the tree of one of which to allocate; null for any. */
  readonly inTrees: readonly string[] | null;
}

/** Sorts by what trees have free of classes, added up by weights; trees without any of the classes come last in both directions. */
export interface FreeSortKey {
  readonly by: 'FREE';
  readonly weights: readonly { readonly resourceClass: string; readonly weight: number }[];
  readonly descending: boolean;
  /** Trees are equal if they have at most this much less free than the best of them (ascending: more than the least), in units of the class or of the sum. */
  readonly tolerance?: number;
}

/** A key of the order in which trees are tried, most significant first. CREATED_AT and RANDOM leave no ties; the default is oldest first. */
export type CandidateSortKey =
  | FreeSortKey
  | { readonly by: 'CREATED_AT'; readonly descending: boolean }
  | { readonly by: 'RANDOM'; readonly seed: number };

/** Splits an order into its keys for classes and the tie-breaker. */
export function partsOfOrder(order: readonly CandidateSortKey[]): {
  readonly free: readonly FreeSortKey[];
  readonly last: Exclude<CandidateSortKey, FreeSortKey>;
} {
  const free = order.filter((key): key is FreeSortKey => key.by === 'FREE');
  const last = order.find((key): key is Exclude<CandidateSortKey, FreeSortKey> => key.by !== 'FREE');
  return { free, last: last ?? { by: 'CREATED_AT', descending: false } };
}

/** The providers that serve a group: one, or several for the unsuffixed group. */
export interface GroupMapping {
  readonly suffix: string;
  readonly providers: readonly ForestProvider[];
}

/** A rule about roots themselves, regardless of what their providers have. Roots are given by uuid. */
export interface RootRule {
  /** Describes the roots that obey it: `outside the hosts to ignore`. */
  readonly words: string;
  readonly only?: ReadonlySet<string>;
  readonly except?: ReadonlySet<string>;
  /** How many consecutive requests each root can serve; any number if it is not listed. */
  readonly times?: ReadonlyMap<string, number>;
  /** Whether a root that obeys the rule may serve with these providers, given the current usage: what it takes besides the groups, or null. */
  readonly admit?: (root: ForestProvider, mappings: readonly GroupMapping[]) => readonly UsedAmount[] | null;
  /** The rule for the next request, after these providers were chosen under a root but before their usage counts; unchanged if absent. */
  readonly after?: (root: ForestProvider, mappings: readonly GroupMapping[]) => RootRule;
}

export interface CandidateRequest {
  readonly groups: readonly RequestGroup[];
  /** ISOLATE: every suffixed group is served by a different provider. */
  readonly groupPolicy: 'NONE' | 'ISOLATE';
  /** Traits of the candidate's root. */
  readonly rootTraits: readonly MembershipClause[];
  /** Aggregates of the root itself, regardless of which providers serve the groups. */
  readonly rootAggregates?: readonly MembershipClause[];
  /** The root must obey all of these. */
  readonly rootRules?: readonly RootRule[];
  /** Lists of suffixes: one of the providers of these groups must be at or above all others. */
  readonly sameSubtree: readonly (readonly string[])[];
  /** The maximum number of candidates; null for all. */
  readonly limit: number | null;
  /** The maximum number of candidates per root; null for all. */
  readonly perRootLimit: number | null;
  readonly order: readonly CandidateSortKey[];
  /** Behave as before nested providers (Placement 1.29): no candidate takes from two providers of one tree. */
  readonly withoutNested?: boolean;
}

/** Whether a root may serve. */
export function obeys({ only, except }: RootRule, root: string): boolean {
  return (only?.has(root) ?? true) && !except?.has(root);
}

/** A fault in a request, and the path to it. */
export interface RequestFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Suffixes of groups. */
const suffixPattern = new RegExp(`^[a-zA-Z0-9_-]{1,${limits.groupSuffixLength}}$`);

/**
 * All faults of a request; empty if it can be searched. Does not check whether names exist. The rules are those of Placement 1.36 and
 * 1.39, except that `groupPolicy` has a default here.
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
    if (seen.has(suffix)) add([...here, 'suffix'], suffix === '' ? 'only one group may be without a suffix' : `${called} is listed twice`);
    if (suffix !== '' && !suffixPattern.test(suffix))
      add([...here, 'suffix'], `a suffix has 1 to ${limits.groupSuffixLength} letters, digits, _ or -`);
    seen.add(suffix);
    if (resources.length === 0 && suffix === '') add([...here, 'resources'], `${called} must ask for resources`);
    if (resources.length === 0 && suffix !== '' && !related.has(suffix)) {
      add([...here, 'resources'], `${called} asks for nothing, so it must be named in a sameSubtree`);
    }
    const twice = findTwice(resources.map(({ resourceClass }) => resourceClass));
    if (twice >= 0) add([...here, 'resources', twice, 'resourceClass'], `${called} names ${resources[twice]?.resourceClass} twice`);
    addContradiction(faults, [...here, 'traits'], called, traits);
    addContradiction(faults, [...here, 'aggregates'], called, aggregates);
  }
  addContradiction(faults, ['rootTraits'], 'the root', rootTraits);
  addContradiction(faults, ['rootAggregates'], 'the root', rootAggregates ?? []);
  for (const [index, suffixes] of sameSubtree.entries()) {
    if (suffixes.length === 0) add(['sameSubtree', index, 'suffixes'], 'must name at least one group');
    for (const [place, suffix] of suffixes.entries()) {
      const path = ['sameSubtree', index, 'suffixes', place];
      if (suffix === '') add(path, 'the group without suffix may spread over a tree, so it cannot be named in a sameSubtree');
      else if (!seen.has(suffix)) add(path, `there is no group ${suffix}`);
    }
  }
  return faults;
}

function findTwice(names: readonly string[]): number {
  return names.findIndex((name, index) => names.indexOf(name) !== index);
}

/** The maximum number of names in a message. */
const maxNamesShown = 10;

/** A required set whose every member is forbidden can never be met. */
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
        set.length === 0 ? `anyOf of ${called} is empty` : `${called} both requires and forbids ${set.slice(0, maxNamesShown).join(', ')}`,
    });
  }
}

/** Merges clauses into required sets, each of which needs one member, and one list of forbidden members. */
export function flattenClauses(clauses: readonly MembershipClause[]): { required: (readonly string[])[]; forbidden: string[] } {
  const required = clauses.flatMap(({ allOf = [], anyOf }) => [...allOf.map((name) => [name]), ...(anyOf ? [anyOf] : [])]);
  return { required, forbidden: clauses.flatMap(({ noneOf = [] }) => noneOf) };
}
