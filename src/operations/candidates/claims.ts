// Claiming: search and take in one call. The search sees the committed state of its start; the write checks everything again under lock,
// so whoever was faster in between costs another round, never a wrong answer.

import type { Consumer } from '../../domain/allocation.ts';
import { explainSearch } from '../../domain/candidates/explain.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { searchInTurn } from '../../domain/candidates/in-turn.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import { searchCandidates } from '../../domain/candidates/search.ts';
import { type Problem, problemOf, Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { MembershipClause, Provider } from '../../domain/provider.ts';
import {
  type AllocationsWritten,
  type ConsumerAllocations,
  type ConsumerExpectation,
  replaceAllocations,
} from '../allocations/allocation-writes.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../request/scope.ts';
import { allocationsOf, type CandidatesInput, type FoundCandidate, forestFor, parseRequest, renderCandidate } from './candidates.ts';

export interface ClaimConsumer {
  readonly consumer: string;
  readonly expect: ConsumerExpectation;
  /** Instead of a candidate: what this other consumer of the same claim held before. */
  readonly takeFrom?: Optional<string>;
  readonly project?: Optional<string>;
  readonly user?: Optional<string>;
  readonly consumerType?: Optional<string>;
}

export interface ClaimInput {
  readonly consumers: readonly ClaimConsumer[];
  readonly request: CandidatesInput;
  readonly mode?: Optional<'ALL_OR_NOTHING' | 'BEST_EFFORT'>;
  /** How many further candidates to return for each consumer that got one. */
  readonly alternates?: Optional<number>;
  /** Aggregates that split the cloud: the root of an alternate is in exactly those of them in which the root is that was chosen. */
  readonly alternatesIn?: Optional<readonly string[]>;
}

/** What one consumer got; no candidate for one that took from another. */
export interface ClaimedConsumer {
  readonly consumer: Consumer;
  readonly candidate: FoundCandidate | null;
  readonly alternates: readonly FoundCandidate[];
}

export interface Claimed {
  /** In the order of the input. */
  readonly claims: readonly ClaimedConsumer[];
  readonly providers: readonly Provider[];
  /** With BEST_EFFORT: why the others were not served. */
  readonly problems: readonly Problem[];
}

const mostConsumers = limits.claimConsumers;
const mostAlternates = limits.claimAlternates;
const mostAggregates = limits.claimAggregates;
/** Rounds before a claim gives up: in each, somebody else was faster. */
const mostRounds = limits.claimRounds;

/** Consumers that are written together: one that gets a candidate, and who takes what it held. By their place in the input. */
interface Unit {
  readonly seeker: number;
  readonly members: readonly number[];
}

interface Landed {
  readonly unit: Unit;
  readonly candidate: FoundCandidate;
  readonly written: AllocationsWritten;
}

/**
 * Finds and takes a candidate for each consumer. ALL_OR_NOTHING, the default, is one transaction; with BEST_EFFORT each unit is its own.
 * Refuses INVALID_INPUT, NO_CANDIDATES, and what replaceAllocations refuses; a lost race only when it was lost ten times.
 */
export async function claim(scope: RequestScope, input: ClaimInput): Promise<Claimed> {
  const { consumers } = input;
  const units = parseUnits(input);
  const request = parseRequest(input.request, ['request']);
  const together = input.mode !== 'BEST_EFFORT';
  const landed: Landed[] = [];
  const problems: Problem[] = [];
  let open: readonly Unit[] = units;
  for (let round = 1; open.length > 0; round++) {
    const forest = await forestFor(scope, request, ['request']);
    const { found, missing } = choose(forest, request, open, consumers);
    if (missing.length > 0 && together) throw new Refusal(missing.slice(0, 1));
    problems.push(...missing);
    const batches = together ? [found] : found.map((choice) => [choice]);
    const outcomes = await Promise.all(batches.map((batch) => writeBatch(scope, consumers, batch)));
    const lost: Unit[] = [];
    for (const outcome of outcomes) {
      if (outcome.landed) landed.push(...outcome.landed);
      else if (outcome.raced && round < mostRounds) lost.push(...outcome.units);
      else if (together) throw outcome.refusal;
      else problems.push(...outcome.refusal.problems);
    }
    open = lost;
  }
  return { ...renderClaims(landed, await findAlternates(scope, request, landed, input)), problems };
}

function parseUnits({ consumers, alternates, alternatesIn }: ClaimInput): Unit[] {
  const check = new InputCheck();
  check.size(['consumers'], consumers, 1, mostConsumers);
  const places = new Map(consumers.map(({ consumer }, index) => [consumer, index]));
  check.unique(
    ['consumers'],
    consumers.map(({ consumer }) => consumer),
    (index) => [index, 'consumer'],
  );
  const isSeeker = (index: number | undefined) => index !== undefined && typeof consumers[index]?.takeFrom !== 'string';
  for (const [index, { takeFrom }] of consumers.entries()) {
    if (typeof takeFrom !== 'string' || isSeeker(places.get(takeFrom))) continue;
    check.add(['consumers', index, 'takeFrom'], 'takeFrom must be a consumer of this claim that gets a candidate');
  }
  const wanted = alternates ?? 0;
  if (wanted < 0 || wanted > mostAlternates) check.add(['alternates'], `must be from 0 to ${mostAlternates}`);
  check.size(['alternatesIn'], alternatesIn ?? [], 0, mostAggregates);
  check.done();
  const indexes = [...consumers.keys()];
  return indexes.filter(isSeeker).map((seeker) => ({
    seeker,
    members: indexes.filter((index) => index === seeker || consumers[index]?.takeFrom === consumers[seeker]?.consumer),
  }));
}

interface Choice {
  readonly unit: Unit;
  readonly candidate: FoundCandidate;
}

/** A candidate for each unit in turn; a problem for each of those that are left when there is none any more. */
function choose(forest: Forest, request: CandidateRequest, units: readonly Unit[], consumers: readonly ClaimConsumer[]) {
  return searchInTurn(forest, request, units.length, (candidates) => {
    const found = candidates.map(
      (candidate, place): Choice => ({ unit: units[place] as Unit, candidate: renderCandidate(forest, candidate) }),
    );
    const left = units.slice(candidates.length);
    if (left.length === 0) return { found, missing: [] };
    const explanation = explainSearch(forest, request);
    const missing = left.map(({ seeker }) =>
      problemOf({ code: 'NO_CANDIDATES', details: { consumer: consumers[seeker]?.consumer ?? '', explanation } }, ['consumers', seeker]),
    );
    return { found, missing };
  });
}

type Outcome =
  | { readonly landed: readonly Landed[] }
  | { readonly landed: null; readonly refusal: Refusal; readonly raced: boolean; readonly units: readonly Unit[] };

/** Writes some units in one transaction. */
async function writeBatch(scope: RequestScope, consumers: readonly ClaimConsumer[], batch: readonly Choice[]): Promise<Outcome> {
  const members = batch.flatMap(({ unit, candidate }) => unit.members.map((index) => ({ index, seeks: index === unit.seeker, candidate })));
  const holders = members.map(({ index, seeks, candidate }): ConsumerAllocations => {
    const { takeFrom, ...consumer } = consumers[index] as ClaimConsumer;
    return { ...consumer, hold: seeks ? { allocations: allocationsOf(candidate) } : { takeFrom } };
  });
  try {
    const written = await replaceAllocations(scope, { consumers: holders });
    let from = 0;
    return {
      landed: batch.map(({ unit, candidate }) => {
        const own = written.consumers.slice(from, from + unit.members.length);
        from += unit.members.length;
        return { unit, candidate, written: { ...written, consumers: own } };
      }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refusal = error.relabelled((problem) => placeInClaim(problem, members));
    const seekers = new Set(batch.map(({ unit }) => consumers[unit.seeker]?.consumer));
    return {
      landed: null,
      refusal,
      raced: refusal.problems.every((problem) => wasFaster(problem, seekers)),
      units: batch.map(({ unit }) => unit),
    };
  }
}

const racedCodes: ReadonlySet<RefusalCode> = new Set(['CAPACITY_EXCEEDED', 'NO_INVENTORY', 'UNIT_VIOLATION']);

/** Whether a candidate is gone, so that another may be tried; what takers are refused stays so. */
function wasFaster(problem: Problem, seekers: ReadonlySet<string | undefined>): boolean {
  if (problem.code === 'NOT_FOUND') return problem.noun === 'resourceProvider' || problem.noun === 'resourceClass';
  return racedCodes.has(problem.code) && 'consumer' in problem && seekers.has(problem.consumer);
}

/** Paths into the consumers that were written, as paths into those of the claim. */
function placeInClaim({ path }: Problem, members: readonly { readonly index: number }[]): Path {
  const member = path[0] === 'consumers' ? members[Number(path[1])] : undefined;
  if (!member) return [];
  // What is held was not the caller's to say.
  return ['consumers', member.index, ...(path[2] === 'hold' ? [] : path.slice(2))];
}

/** For each that landed, candidates on roots that nobody of this claim landed on, and on the same side of whatever splits the cloud. */
async function findAlternates(
  scope: RequestScope,
  request: CandidateRequest,
  landed: readonly Landed[],
  { alternates, alternatesIn }: ClaimInput,
): Promise<ReadonlyMap<Landed, readonly FoundCandidate[]>> {
  const count = alternates ?? 0;
  const found = new Map<Landed, readonly FoundCandidate[]>();
  if (count === 0 || landed.length === 0) return found;
  const taken = new Set(landed.map(({ candidate }) => candidate.root.uuid));
  const forest = await forestFor(scope, request);
  for (const { members, clauses } of sidesOf(forest, landed, alternatesIn ?? [])) {
    const { candidates } = searchCandidates(forest, {
      ...request,
      rootAggregates: [...(request.rootAggregates ?? []), ...clauses],
      limit: taken.size + count * members.length,
      perRootLimit: 1,
    });
    const free = candidates.map((candidate) => renderCandidate(forest, candidate)).filter(({ root }) => !taken.has(root.uuid));
    // Each its own share, so that who comes second is not sent where the first is sent.
    for (const [place, member] of members.entries()) found.set(member, rotate(free, place * count).slice(0, count));
  }
  return found;
}

/** Those whose roots are in the same of these aggregates, with what puts a root there. */
function sidesOf(forest: Forest, landed: readonly Landed[], aggregates: readonly string[]) {
  const sides = new Map<string, { readonly members: Landed[]; readonly clauses: readonly MembershipClause[] }>();
  for (const one of landed) {
    const own = forest.findByUuid(one.candidate.root.uuid)?.aggregates;
    const isIn = (uuid: string) => own?.has(forest.aggregates.idOf(uuid) ?? -1) ?? false;
    const [allOf, noneOf] = [aggregates.filter(isIn), aggregates.filter((uuid) => !isIn(uuid))];
    const side = sides.get(allOf.join()) ?? { members: [], clauses: [{ allOf, noneOf }] };
    sides.set(allOf.join(), side);
    side.members.push(one);
  }
  return sides.values();
}

function renderClaims(landed: readonly Landed[], alternates: ReadonlyMap<Landed, readonly FoundCandidate[]>): Omit<Claimed, 'problems'> {
  const providers = new Map<string, Provider>();
  for (const { written } of landed) {
    for (const provider of written.providers) {
      const known = providers.get(provider.uuid);
      if (!known || known.generation < provider.generation) providers.set(provider.uuid, provider);
    }
  }
  const claims = landed.flatMap((one) =>
    one.unit.members.map((index, member) => ({
      index,
      consumer: one.written.consumers[member] as Consumer,
      candidate: index === one.unit.seeker ? withProviders(one.candidate, providers) : null,
      alternates: index === one.unit.seeker ? (alternates.get(one) ?? []) : [],
    })),
  );
  return { claims: claims.sort((a, b) => a.index - b.index), providers: [...providers.values()] };
}

function rotate<Element>(elements: readonly Element[], by: number): readonly Element[] {
  const start = elements.length === 0 ? 0 : by % elements.length;
  return [...elements.slice(start), ...elements.slice(0, start)];
}

/** The candidate with its providers as they are after the claim. */
function withProviders({ root, allocations, mappings }: FoundCandidate, after: ReadonlyMap<string, Provider>): FoundCandidate {
  const now = (provider: Provider) => after.get(provider.uuid) ?? provider;
  return {
    root: now(root),
    allocations: allocations.map((allocation) => ({ ...allocation, resourceProvider: now(allocation.resourceProvider) })),
    mappings: mappings.map(({ suffix, resourceProviders }) => ({ suffix, resourceProviders: resourceProviders.map(now) })),
  };
}
