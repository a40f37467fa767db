// Requests for candidates, and for everything that is searched for like candidates: checks their form, and looks up their names in the forest.
import { randomInt } from 'node:crypto';
import type { Forest } from '../../domain/candidates/forest.ts';
import { type CandidateRequest, type CandidateSortKey, requestFaults } from '../../domain/candidates/request.ts';
import { problemOf, Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { MembershipClause, ResourceAmount } from '../../domain/provider.ts';
import type { Period } from '../../domain/reservation.ts';
import { forestOf } from '../forest/forest.ts';
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
    readonly inTrees?: Optional<readonly string[]>;
  }[];
  readonly groupPolicy?: Optional<'NONE' | 'ISOLATE'>;
  readonly rootTraits?: Optional<readonly Clause[]>;
  readonly rootAggregates?: Optional<readonly Clause[]>;
  readonly sameSubtree?: Optional<readonly { readonly suffixes: readonly string[] }[]>;
  readonly limit?: Optional<number>;
  readonly perRootLimit?: Optional<number>;
  /** By age, oldest first, when omitted. */
  readonly orderBy?: Optional<readonly CandidateOrderInput[]>;
  /** What fits at every moment of this period, rather than what lasts from now on. */
  readonly during?: Optional<Period>;
}

export interface CandidateOrderInput extends OrderKeyInput<CandidateSortKey['by']> {
  readonly seed?: Optional<number>;
  readonly tolerance?: Optional<number>;
}

const maxGroups = limits.searchGroups;
const maxCandidates = limits.candidates;
const maxNames = limits.searchNames;
/** The maximum number of classes, traits and aggregates in one request: contradictions are searched for among all of them. */
const maxNamesInAll = limits.searchNamesInAll;
const maxSuffixLength = limits.groupSuffixLength;
/** Seeds are 32 bits wide. */
const maxSeed = 2 ** 31 - 1;

/** Converts a request to the form of the domain. Refuses INVALID_INPUT with all problems; `path` is the path of the request. */
export function parseRequest(input: CandidatesInput, path: Path = []): CandidateRequest {
  const check = new InputCheck();
  check.size([...path, 'groups'], input.groups, 1, maxGroups);
  checkTotal(check, [...path, 'groups'], input);
  check.size([...path, 'sameSubtree'], input.sameSubtree ?? [], 0, maxGroups);
  const { during } = input;
  if (during && Date.parse(during.until) <= Date.parse(during.from)) check.add([...path, 'during', 'until'], 'until must be after from');
  for (const [index, { suffixes }] of (input.sameSubtree ?? []).entries()) {
    check.size([...path, 'sameSubtree', index, 'suffixes'], suffixes, 1, maxGroups);
    for (const [place, suffix] of suffixes.entries()) checkSuffix(check, [...path, 'sameSubtree', index, 'suffixes', place], suffix);
  }
  const request: CandidateRequest = {
    groups: input.groups.map(({ suffix, resources, traits, aggregates, inTrees }, index) => {
      const here = [...path, 'groups', index];
      checkSuffix(check, [...here, 'suffix'], suffix ?? '');
      check.size([...here, 'inTrees'], inTrees ?? [], 0, limits.filterKeys);
      return {
        suffix: suffix ?? '',
        resources: parseAmounts(check, [...here, 'resources'], resources ?? []),
        traits: parseTraits(check, [...here, 'traits'], traits ?? []),
        aggregates: parseClauses(check, [...here, 'aggregates'], aggregates ?? []),
        inTrees: inTrees ?? null,
      };
    }),
    groupPolicy: input.groupPolicy ?? 'NONE',
    rootTraits: parseTraits(check, [...path, 'rootTraits'], input.rootTraits ?? []),
    rootAggregates: parseClauses(check, [...path, 'rootAggregates'], input.rootAggregates ?? []),
    sameSubtree: (input.sameSubtree ?? []).map(({ suffixes }) => suffixes),
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
  check.add(path, `must name at most ${maxNamesInAll} classes, traits and aggregates in all, not ${total}`);
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
