// The search for allocation candidates: parses the request, updates the forest, runs the search of the domain, and preserves the states
// that it saw for the answer. Claims are in claims.ts.
import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { AllocationInput } from '../../domain/allocation.ts';
import { explainInParts } from '../../domain/candidates/explain.ts';
import type { Forest, ForestProvider, ProviderState } from '../../domain/candidates/forest.ts';
import { type CandidateRequest, type CandidateSortKey, requestFaults } from '../../domain/candidates/request.ts';
import { type Candidate, searchInParts, summarizeInParts } from '../../domain/candidates/search.ts';
import { problemOf, Refusal } from '../../domain/errors.ts';
import type { Explanation } from '../../domain/explanation.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { MembershipClause, Provider, ResourceAmount, ResourceClass } from '../../domain/provider.ts';
import { forestOf } from '../forest/forest.ts';
import { searchForest } from '../forest/search.ts';
import { InputCheck } from '../request/input.ts';
import { checkOrder, type OrderKeyInput } from '../request/order.ts';
import type { RequestScope } from '../scope/scope.ts';

/** A condition on traits or aggregates. */
export type Clause = { readonly [Part in keyof MembershipClause]: Optional<readonly string[]> };

export interface CandidatesInput {
  readonly groups: readonly {
    readonly suffix?: Optional<string>;
    readonly resources?: Optional<readonly ResourceAmount[]>;
    readonly traits?: Optional<readonly Clause[]>;
    readonly aggregates?: Optional<readonly Clause[]>;
    readonly inTree?: Optional<string>;
  }[];
  readonly groupPolicy?: Optional<'NONE' | 'ISOLATE'>;
  readonly rootTraits?: Optional<readonly Clause[]>;
  readonly rootAggregates?: Optional<readonly Clause[]>;
  readonly sameSubtree?: Optional<readonly { readonly groups: readonly string[] }[]>;
  readonly limit?: Optional<number>;
  readonly perRootLimit?: Optional<number>;
  /** By age, oldest first, when omitted. */
  readonly orderBy?: Optional<readonly CandidateOrderInput[]>;
}

export interface CandidateOrderInput extends OrderKeyInput<CandidateSortKey['by']> {
  readonly seed?: Optional<number>;
  readonly tolerance?: Optional<number>;
}

/** A candidate, as it was when it was found. */
export interface FoundCandidate {
  readonly root: Provider;
  readonly allocations: readonly FoundAllocation[];
  readonly mappings: readonly FoundMapping[];
}

export interface FoundAllocation {
  readonly resourceProvider: Provider;
  readonly resourceClass: ResourceClass;
  readonly amount: number;
}

export interface FoundMapping {
  readonly suffix: string;
  readonly resourceProviders: readonly Provider[];
}

export interface FoundCandidates {
  readonly candidates: readonly FoundCandidate[];
  readonly truncated: boolean;
  /** Explains why there are no more candidates, with a second search over the then current forest. Refuses what findCandidates refuses. */
  explain(): Promise<Explanation>;
}

/**
 * Candidates as uuids and names only, with all providers of the trees that they take from, as they were when found. Most of it is built on access,
 * because there may be as many candidates as hosts.
 */
export interface FoundWithSummaries {
  readonly candidates: readonly {
    /** Each pair of provider and class occurs once. */
    readonly allocations: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[];
    readonly mappings: readonly { readonly suffix: string; readonly providers: readonly string[] }[];
  }[];
  readonly summaries: readonly ProviderSummary[];
  readonly truncated: boolean;
}

export interface ProviderSummary {
  readonly uuid: string;
  readonly parent: string | null;
  readonly root: string;
  /** In the order of creation, standard ones first. */
  readonly traits: readonly string[];
  /** Amounts are in units of the class. */
  readonly inventories: readonly { readonly resourceClass: string; readonly capacity: number; readonly used: number }[];
}

const maxGroups = limits.searchGroups;
const maxCandidates = limits.candidates;
/** The maximum number of amounts in all candidates of one answer: rendering more would block the process. */
const maxAllocations = limits.candidateAmounts;
/** The number of summaries that are made between two pauses. */
const summariesAtOnce = 1000;
/** The number of candidates that can be rendered without yielding to other work. */
const candidatesAtOnce = 100;
const maxNames = limits.searchNames;
/** The maximum number of classes, traits and aggregates in one request: contradictions are searched for among all of them. */
const maxNamesInAll = limits.searchNamesInAll;
const maxSuffixLength = limits.groupSuffixLength;
/** Seeds are 32 bits wide. */
const maxSeed = 2 ** 31 - 1;

/**
 * Searches the latest committed state. Refuses INVALID_INPUT for a request that contradicts itself, NOT_FOUND for unknown classes and traits; unknown
 * aggregates and trees simply match nothing.
 */
export async function findCandidates(scope: RequestScope, input: CandidatesInput): Promise<FoundCandidates> {
  const request = parseRequest(input);
  const forest = await forestFor(scope, request);
  const limit = Math.min(request.limit ?? maxCandidates, Math.floor(maxAllocations / lengthOf(request)));
  const { candidates, truncated } = await searchForest(scope, 'candidates', searchInParts(forest, { ...request, limit }));
  remember(scope, forest, candidates);
  const found = candidates.map((candidate) => renderCandidate(forest, candidate));
  // Rendering the results of a long search takes as long as the search: yield first. Other work may then update the forest.
  const isLong = found.length > candidatesAtOnce;
  if (isLong) await setImmediate();
  return {
    candidates: found,
    truncated: truncated || (candidates.length === limit && limit !== request.limit),
    explain: async () => {
      const then = isLong ? await forestFor(scope, request) : forest;
      return searchForest(scope, 'explanation', explainInParts(then, request));
    },
  };
}

/** The number of amounts in each candidate: at least 1, at most what a request may name. */
function lengthOf({ groups }: CandidateRequest): number {
  const taken = groups.reduce((sum, { resources }) => sum + resources.length, 0);
  return Math.max(groups.length, taken);
}

/** findCandidates for a parsed request, in the form of Placement's REST API. Refuses NOT_FOUND for unknown classes and traits. */
export async function findWithSummaries(scope: RequestScope, request: CandidateRequest): Promise<FoundWithSummaries> {
  const forest = await forestFor(scope, request);
  return searchForest(scope, 'candidates', searchWithSummaries(forest, request));
}

function* searchWithSummaries(forest: Forest, request: CandidateRequest): Generator<void, FoundWithSummaries> {
  const { candidates, truncated } = yield* searchInParts(forest, request);
  const summaries: Summary[] = [];
  for (const provider of yield* summarizeInParts(candidates)) {
    if (summaries.push(new Summary(forest, provider)) % summariesAtOnce === 0) yield;
  }
  yield;
  return { candidates: candidates.map((candidate) => new UuidCandidate(forest, candidate)), summaries, truncated };
}

const classNameIn = (forest: Forest, classId: number) => forest.classes.get(classId)?.name ?? '';

/** The uuids and amounts of a candidate never change, so they are rendered on access, without a copy. */
class UuidCandidate {
  private readonly forest: Forest;
  private readonly candidate: Candidate;

  constructor(forest: Forest, candidate: Candidate) {
    this.forest = forest;
    this.candidate = candidate;
  }

  get allocations() {
    return this.candidate.allocations.map(({ provider, classId, amount }) => ({
      provider: provider.state.provider.uuid,
      resourceClass: classNameIn(this.forest, classId),
      amount,
    }));
  }

  get mappings() {
    const { mappings } = this.candidate;
    return mappings.map(({ suffix, providers }) => ({ suffix, providers: providers.map(({ state }) => state.provider.uuid) }));
  }
}

/** A provider in the state that the search saw. */
class Summary implements ProviderSummary {
  readonly uuid: string;
  readonly parent: string | null;
  readonly root: string;
  private readonly forest: Forest;
  private readonly state: ProviderState;
  private readonly traitIds: readonly number[];

  constructor(forest: Forest, { state, traits, parent, tree }: ForestProvider) {
    this.uuid = state.provider.uuid;
    this.parent = parent?.state.provider.uuid ?? null;
    this.root = tree.root.state.provider.uuid;
    this.forest = forest;
    this.state = state;
    this.traitIds = traits.ids;
  }

  get traits() {
    return this.traitIds.flatMap((id) => this.forest.traits.get(id)?.name ?? []);
  }

  get inventories() {
    const { inventories } = this.state;
    return inventories.map(({ classId, capacity, used }) => ({ resourceClass: classNameIn(this.forest, classId), capacity, used }));
  }
}

/** The current forest, after checking that it has every class and trait of the request. `path` is the path of the request. */
export async function forestFor(scope: RequestScope, request: CandidateRequest, path: Path = [], isClaim = false): Promise<Forest> {
  const forest = await forestOf(scope.db).current({ isClaim });
  const problems = unknownNames(forest, request).map((unknown) =>
    problemOf({ code: 'NOT_FOUND', details: { noun: unknown.noun, key: unknown.key } }, [...path, ...unknown.path]),
  );
  if (problems.length > 0) throw new Refusal(problems.slice(0, limits.problemsReported));
  return forest;
}

interface UnknownName {
  readonly noun: 'resourceClass' | 'trait';
  readonly key: string;
  readonly path: Path;
}

function unknownNames(forest: Forest, { groups, rootTraits, order }: CandidateRequest): UnknownName[] {
  const unknown: UnknownName[] = [];
  const checkClass = (key: string, path: Path) => {
    if (forest.classes.idOf(key) === undefined) unknown.push({ noun: 'resourceClass', key, path });
  };
  const checkTraits = (clauses: readonly MembershipClause[], path: Path) => {
    for (const [index, clause] of clauses.entries()) {
      for (const [part, names] of Object.entries(clause) as [string, readonly string[]][]) {
        for (const [place, key] of names.entries()) {
          if (forest.traits.idOf(key) === undefined) unknown.push({ noun: 'trait', key, path: [...path, index, part, place] });
        }
      }
    }
  };
  for (const [index, { resources, traits }] of groups.entries()) {
    for (const [row, { resourceClass }] of resources.entries()) {
      checkClass(resourceClass, ['groups', index, 'resources', row, 'resourceClass']);
    }
    checkTraits(traits, ['groups', index, 'traits']);
  }
  checkTraits(rootTraits, ['rootTraits']);
  for (const [index, key] of order.entries()) {
    if (key.by !== 'FREE') continue;
    for (const [place, { resourceClass, weight }] of key.weights.entries()) {
      const isAlone = key.weights.length === 1 && weight === 1;
      checkClass(resourceClass, ['orderBy', index, ...(isAlone ? [] : ['weights', place]), 'resourceClass']);
    }
  }
  return unknown;
}

/** Converts a request to the form of the domain. Refuses INVALID_INPUT with all problems; `path` is the path of the request. */
export function parseRequest(input: CandidatesInput, path: Path = []): CandidateRequest {
  const check = new InputCheck();
  check.size([...path, 'groups'], input.groups, 1, maxGroups);
  checkTotal(check, [...path, 'groups'], input);
  check.size([...path, 'sameSubtree'], input.sameSubtree ?? [], 0, maxGroups);
  for (const [index, { groups }] of (input.sameSubtree ?? []).entries()) {
    check.size([...path, 'sameSubtree', index, 'groups'], groups, 1, maxGroups);
    for (const [place, suffix] of groups.entries()) checkSuffix(check, [...path, 'sameSubtree', index, 'groups', place], suffix);
  }
  const request: CandidateRequest = {
    groups: input.groups.map(({ suffix, resources, traits, aggregates, inTree }, index) => {
      const here = [...path, 'groups', index];
      checkSuffix(check, [...here, 'suffix'], suffix ?? '');
      return {
        suffix: suffix ?? '',
        resources: parseAmounts(check, [...here, 'resources'], resources ?? []),
        traits: parseTraits(check, [...here, 'traits'], traits ?? []),
        aggregates: parseClauses(check, [...here, 'aggregates'], aggregates ?? []),
        inTree: inTree ?? null,
      };
    }),
    groupPolicy: input.groupPolicy ?? 'NONE',
    rootTraits: parseTraits(check, [...path, 'rootTraits'], input.rootTraits ?? []),
    rootAggregates: parseClauses(check, [...path, 'rootAggregates'], input.rootAggregates ?? []),
    sameSubtree: (input.sameSubtree ?? []).map(({ groups }) => groups),
    limit: input.limit ?? limits.defaultCandidates,
    perRootLimit: input.perRootLimit ?? null,
    order: parseOrder(check, [...path, 'orderBy'], input.orderBy ?? []),
  };
  checkLimit(check, [...path, 'limit'], request.limit);
  checkLimit(check, [...path, 'perRootLimit'], request.perRootLimit);
  check.done();
  for (const fault of requestFaults(request)) check.add([...path, ...fault.path], fault.message);
  check.done();
  return request;
}

function checkTotal(check: InputCheck, path: Path, { groups, rootTraits }: CandidatesInput): void {
  const clauses = [...groups.flatMap(({ traits, aggregates }) => [...(traits ?? []), ...(aggregates ?? [])]), ...(rootTraits ?? [])];
  const lists: Optional<readonly unknown[]>[] = clauses.flatMap(({ allOf, anyOf, noneOf }) => [allOf, anyOf, noneOf]);
  const total = [...lists, ...groups.map(({ resources }) => resources)].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  if (total <= maxNamesInAll) return;
  check.add(path, `must name at most ${maxNamesInAll} classes, traits and aggregates in all, names ${total}`);
  check.done();
}

/** Longer suffixes are not quoted in refusals; all other rules about suffixes are in the domain. */
function checkSuffix(check: InputCheck, path: Path, suffix: string): void {
  check.text(path, suffix === '' ? null : suffix, maxSuffixLength);
}

function checkLimit(check: InputCheck, path: Path, limit: number | null): void {
  if (limit !== null && (limit < 1 || limit > maxCandidates)) check.add(path, `must be from 1 to ${maxCandidates}`);
}

function parseAmounts(check: InputCheck, path: Path, resources: readonly ResourceAmount[]): readonly ResourceAmount[] {
  check.size(path, resources, 0, maxNames);
  for (const [row, { resourceClass, amount }] of resources.entries()) {
    check.className([...path, row, 'resourceClass'], resourceClass);
    if (amount < 1) check.add([...path, row, 'amount'], 'amount must be a whole number of at least 1');
  }
  return resources;
}

/** Conditions on aggregates. */
export function parseClauses(check: InputCheck, path: Path, clauses: readonly Clause[]): MembershipClause[] {
  check.size(path, clauses, 0, maxNames);
  return clauses.map((clause, index) => {
    const given = Object.entries(clause) as [string, Optional<readonly string[]>][];
    const parts = given.filter((part): part is [string, readonly string[]] => Array.isArray(part[1]));
    if (parts.every(([, names]) => names.length === 0)) check.add([...path, index], 'must name something in allOf, anyOf or noneOf');
    for (const [part, names] of parts) check.size([...path, index, part], names, 0, maxNames);
    return Object.fromEntries(parts);
  });
}

/** Conditions on traits. */
export function parseTraits(check: InputCheck, path: Path, clauses: readonly Clause[]): MembershipClause[] {
  const traits = parseClauses(check, path, clauses);
  for (const [index, clause] of traits.entries()) {
    for (const [part, names] of Object.entries(clause) as [string, readonly string[]][]) {
      for (const [place, name] of names.entries()) check.traitName([...path, index, part, place], name);
    }
  }
  return traits;
}

function parseOrder(check: InputCheck, path: Path, orderBy: readonly CandidateOrderInput[]): CandidateSortKey[] {
  return checkOrder(check, path, orderBy, new Set(['FREE'])).map(({ field, descending, resourceClass }, index): CandidateSortKey => {
    const { seed, tolerance, weights } = orderBy[index] ?? {};
    const here = [...path, index, 'tolerance'];
    if (typeof tolerance === 'number' && field !== 'FREE') check.add(here, 'tolerance is only allowed with FREE');
    if (typeof tolerance === 'number' && tolerance < 0) check.add(here, 'must not be negative');
    if (field === 'RANDOM') {
      if (descending) check.add([...path, index, 'direction'], 'RANDOM has no direction');
      if (index < orderBy.length - 1) check.add([...path, index + 1], 'RANDOM leaves no ties: no key can follow it');
      return { by: field, seed: seed ?? randomInt(maxSeed) };
    }
    if (typeof seed === 'number') check.add([...path, index, 'seed'], 'seed is only allowed with RANDOM');
    if (field === 'FREE') {
      return { by: field, weights: weights ?? [{ resourceClass: resourceClass ?? '', weight: 1 }], descending, tolerance: tolerance ?? 0 };
    }
    if (index < orderBy.length - 1) check.add([...path, index + 1], 'CREATED_AT leaves no ties: no key can follow it');
    return { by: field, descending };
  });
}

/** Preserves the states of the providers of these candidates, and of their ancestors, for the rest of the request. */
function remember({ loaders }: RequestScope, forest: Forest, candidates: readonly Candidate[]): void {
  const seen = new Set<ForestProvider>();
  for (const { root, chosen } of candidates) {
    seen.add(root);
    for (const provider of chosen) {
      for (let at: ForestProvider | null = provider; at && !seen.has(at); at = at.parent) seen.add(at);
    }
  }
  loaders.known.remember(forest, seen);
}

/** A candidate as plain data, which later updates of the forest do not change. */
export function renderCandidate(forest: Forest, { root, allocations, mappings }: Candidate): FoundCandidate {
  return {
    root: root.state.provider,
    allocations: allocations.map(({ provider, classId, amount }) => ({
      resourceProvider: provider.state.provider,
      resourceClass: forest.classes.get(classId) ?? { id: classId, name: '' },
      amount,
    })),
    mappings: mappings.map(({ suffix, providers }) => ({ suffix, resourceProviders: providers.map(({ state }) => state.provider) })),
  };
}

/** The allocations of a candidate, in the form in which they are written. */
export function allocationsOf({ allocations }: FoundCandidate): AllocationInput[] {
  const byProvider = new Map<string, { resourceClass: string; amount: number }[]>();
  for (const { resourceProvider, resourceClass, amount } of allocations) {
    const resources = byProvider.get(resourceProvider.uuid) ?? [];
    byProvider.set(resourceProvider.uuid, resources);
    resources.push({ resourceClass: resourceClass.name, amount });
  }
  return [...byProvider].map(([provider, resources]) => ({ resourceProvider: provider, resources }));
}
