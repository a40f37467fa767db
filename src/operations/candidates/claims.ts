// Search and claim in one call. The search sees the state that was committed when it began; the write checks everything again under lock, so a
// concurrent claim costs another round, never a wrong answer.

import { randomInt } from 'node:crypto';
import type { WrittenAffinity } from '../../db/writes/contract.ts';
import type { Consumer } from '../../domain/allocation.ts';
import { explainInParts } from '../../domain/candidates/explain.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { type Choice as RootChoice, searchInTurn, type Turns } from '../../domain/candidates/in-turn.ts';
import type { Weigh } from '../../domain/candidates/ranked.ts';
import type { CandidateRequest, RootRule } from '../../domain/candidates/request.ts';
import type { UsedAmount } from '../../domain/candidates/supposed-use.ts';
import { type Problem, problemOf, Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { MembershipClause, Provider } from '../../domain/provider.ts';
import { type AffinityGroup, affinityIn, writtenAffinity } from '../allocations/affinity.ts';
import {
  type AllocationsWritten,
  type ConsumerAllocations,
  type ConsumerExpectation,
  replaceAllocations,
} from '../allocations/allocation-writes.ts';
import { findHolders } from '../allocations/holdings.ts';
import { forestOf } from '../forest/forest.ts';
import type { Reservation, Reservations } from '../forest/reservations.ts';
import { searchForest } from '../forest/search.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { findFirstAnswer } from '../scope/write.ts';
import { allocationsOf, type CandidatesInput, type FoundCandidate, forestFor, parseRequest, renderCandidate } from './candidates.ts';
import { CandidateKeeper, candidateWith, type KeptCandidate } from './kept-candidates.ts';

export interface ClaimConsumer {
  readonly consumer: string;
  readonly expect: ConsumerExpectation;
  /** Instead of a candidate: another consumer of this claim, whose previous allocations this one takes over. */
  readonly takeFrom?: Optional<string>;
  readonly project?: Optional<string>;
  readonly user?: Optional<string>;
  readonly consumerType?: Optional<string>;
}

export interface ClaimInput {
  readonly consumers: readonly ClaimConsumer[];
  readonly request: CandidatesInput;
  readonly mode?: Optional<'ALL_OR_NOTHING' | 'BEST_EFFORT'>;
  /** The number of further candidates to return for each consumer that got one. */
  readonly alternates?: Optional<number>;
  /** Aggregates that partition the cloud, such as cells: the root of an alternate is in the same ones as the chosen root. */
  readonly alternatesIn?: Optional<readonly string[]>;
}

/** What another operation adds to the claims that it makes. */
export interface ClaimGuidance {
  /** What its own answer needs on a replay (`own`), for all candidates that are returned. */
  readonly describe?: (candidates: readonly FoundCandidate[]) => Promise<unknown>;
  readonly rootRules?: readonly RootRule[];
  /** Instead of the order of the request. Called for each round. */
  readonly weighIn?: ((forest: Forest) => Weigh) | null;
  readonly affinity?: AffinityGroup | null;
  /** How many consumers it may have, when that is less than of any claim. */
  readonly mostConsumers?: number;
}

/** The result for one consumer; without a candidate if it took over another's allocations. */
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
  /** The result of `describe` at the time of the claim. */
  readonly own: unknown;
}

const maxAlternates = limits.claimAlternates;
const maxAlternatesInAll = limits.claimAlternatesInAll;
const maxAggregates = limits.claimAggregates;
/** Rounds before a claim gives up, each lost to a concurrent write. */
const maxRounds = limits.claimRounds;

/** Consumers that are written together, as indexes of the input: one that gets a candidate, and those that take over its previous allocations. */
interface Unit {
  readonly seeker: number;
  readonly members: readonly number[];
}

/** A candidate for a unit, and alternates, which nothing is taken from. */
interface Choice {
  readonly unit: Unit;
  readonly candidate: FoundCandidate;
  readonly alternates: readonly FoundCandidate[];
}

/** Stored with the answer of the write, so that a replay can return the whole claim. */
interface ClaimBesides {
  /** As they were when the candidates were found. */
  readonly found: readonly Provider[];
  readonly choices: readonly { readonly unit: Unit; readonly candidate: KeptCandidate; readonly alternates: readonly KeptCandidate[] }[];
  readonly problems: readonly Problem[];
  readonly own: unknown;
}

/** What a claim is about to do. */
interface Parsed {
  readonly input: ClaimInput;
  readonly units: readonly Unit[];
  readonly request: CandidateRequest;
}

/**
 * Finds and takes a candidate for each consumer, in one transaction: all of them, the default, or with BEST_EFFORT those that can be served.
 * Refuses INVALID_INPUT, NO_CANDIDATES, and what replaceAllocations refuses; a lost race only after ten rounds.
 */
export async function claim(scope: RequestScope, input: ClaimInput, guidance: ClaimGuidance = {}): Promise<Claimed> {
  const units = parseUnits(input, guidance.mostConsumers ?? limits.claimConsumers);
  const request = { ...parseRequest(input.request, ['request']), rootRules: guidance.rootRules ?? [] };
  try {
    return await findAndTake(scope, { input, units, request }, guidance);
  } catch (error) {
    // A repeated claim gets its first answer when it writes. Only one that finds nothing to write any more looks for it: asked by each claim
    // before it searches, claims with a key came one by one, and half as many shared a call.
    const first = error instanceof Refusal ? await findFirstAnswer(scope, 'replace_allocations') : null;
    if (first === null) throw error;
    return claimedBy(first);
  }
}

async function findAndTake(
  scope: RequestScope,
  { input, units, request }: Parsed,
  { describe = async () => null, weighIn = null, affinity = null }: ClaimGuidance,
): Promise<Claimed> {
  const { consumers } = input;
  const together = input.mode !== 'BEST_EFFORT';
  const problems: Problem[] = [];
  const seekers = new Set(units.map(({ seeker }) => consumers[seeker]?.consumer ?? ''));
  const others = affinity?.members.filter((member) => !seekers.has(member)) ?? [];
  let open: readonly Unit[] = units;
  for (let round = 1; ; round++) {
    const present = others.length > 0 ? await findHolders(scope, others) : new Map();
    const forest = await forestFor(scope, request, ['request'], true);
    const choice = {
      affinity: affinity && affinityIn(forest, affinity, present.values()),
      weigh: weighIn?.(forest) ?? null,
      seed: randomInt(2 ** 31 - 1),
    };
    const { reservations } = forestOf(scope.db);
    const search = choose(forest, request, open, input, choice, reservations, scope.mutation?.key?.hash ?? null);
    const { found, missing, reservation } = await searchForest(scope, 'claim', search);
    let outcome: Outcome;
    try {
      if (missing.length > 0 && together) throw new Refusal(missing.slice(0, 1));
      problems.push(...missing);
      const own = await describe(found.flatMap(({ candidate, alternates }) => [candidate, ...alternates]));
      if (found.length === 0) {
        // A concurrent duplicate of this call may have claimed what it looked for.
        const answer = await findFirstAnswer(scope, 'replace_allocations');
        return answer ? claimedBy(answer) : { claims: [], providers: [], problems, own };
      }
      outcome = await writeChoices(scope, consumers, found, besidesOf(found, problems, own), affinity && writtenAffinity(affinity));
      reservation.isWritten = 'written' in outcome;
    } finally {
      if (!reservation.isWritten) reservations.giveBack(reservation);
    }
    if ('written' in outcome) return claimedBy(outcome.written);
    const { refusal, refused } = outcome;
    const isLast = round >= maxRounds;
    if (together) {
      if (isLast || refused.some(({ mayTryAnother }) => !mayTryAnother)) throw refusal;
      open = found.map(({ unit }) => unit);
      continue;
    }
    // A unit that cannot be served is dropped, so that the others proceed; one that only lost a race tries again with them.
    const dropped = refused.filter(({ mayTryAnother }) => isLast || !mayTryAnother);
    if (refused.length === 0) throw refusal;
    problems.push(...dropped.flatMap((unit) => unit.problems));
    const left = new Set(dropped.map(({ unit }) => unit));
    open = found.map(({ unit }) => unit).filter((unit) => !left.has(unit));
  }
}

function parseUnits({ consumers, alternates, alternatesIn }: ClaimInput, mostConsumers: number): Unit[] {
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
  if (wanted < 0 || wanted > maxAlternates) check.add(['alternates'], `must be from 0 to ${maxAlternates}`);
  else if (wanted * consumers.length > maxAlternatesInAll) {
    check.add(['alternates'], `must be at most ${maxAlternatesInAll} for all consumers together, are ${wanted * consumers.length}`);
  }
  check.size(['alternatesIn'], alternatesIn ?? [], 0, maxAggregates);
  check.done();
  const takers = new Map<number, number[]>();
  for (const [index, { takeFrom }] of consumers.entries()) {
    const seeker = typeof takeFrom === 'string' ? places.get(takeFrom) : undefined;
    if (seeker !== undefined) takers.set(seeker, [...(takers.get(seeker) ?? []), index]);
  }
  const seekers = [...consumers.keys()].filter(isSeeker);
  return seekers.map((seeker) => ({ seeker, members: [seeker, ...(takers.get(seeker) ?? [])].sort((a, b) => a - b) }));
}

/** What was found for units in turn, and reserved; a problem for each of those left once candidates ran out. */
interface Chosen {
  readonly found: readonly Choice[];
  readonly missing: readonly Problem[];
  readonly reservation: Reservation;
}

/** A candidate for each unit in turn, with alternates, beside what is reserved if there is enough. Pauses now and then. */
function* choose(
  forest: Forest,
  request: CandidateRequest,
  units: readonly Unit[],
  input: ClaimInput,
  choice: RootChoice,
  reservations: Reservations,
  key: string | null,
): Generator<void, Chosen> {
  const chooseBeside = (reserved: readonly UsedAmount[]) =>
    searchInTurn(
      forest,
      request,
      units.length,
      function* ({ candidates, next, others }): Generator<void, Chosen | null> {
        const left = units.slice(candidates.length);
        if (left.length > 0 && reserved.length > 0) return null;
        const hold = () =>
          reservations.hold(
            candidates.flatMap(({ allocations }) => allocations),
            key,
          );
        const chosen = candidates.map((candidate, place) => ({
          unit: units[place] as Unit,
          candidate: renderCandidate(forest, candidate),
        }));
        // The chosen candidates still count as used here, so what is free now is free in addition to them.
        const found = withAlternates(forest, chosen, input, others);
        if (left.length === 0) return { found, missing: [], reservation: hold() };
        const explanation = yield* explainInParts(forest, next);
        const missing = left.map(({ seeker }): Problem => {
          const consumer = input.consumers[seeker]?.consumer ?? '';
          return problemOf({ code: 'NO_CANDIDATES', details: { consumer, explanation } }, ['consumers', seeker]);
        });
        return { found, missing, reservation: hold() };
      },
      { ...choice, reserved },
    );
  // Claims by age or by chance would choose the same host as without, nearly always.
  const compares = choice.weigh != null || request.order.some(({ by }) => by === 'FREE');
  const beside = yield* chooseBeside(compares ? reservations.amountsIn(forest, key) : []);
  return beside ?? ((yield* chooseBeside([])) as Chosen);
}

/** A unit that prevented the others from being written. */
interface RefusedUnit {
  readonly unit: Unit;
  readonly problems: readonly Problem[];
  /** Whether the candidate was lost to another write, so that another one may be tried. */
  readonly mayTryAnother: boolean;
}

type Outcome = { readonly written: AllocationsWritten } | { readonly refusal: Refusal; readonly refused: readonly RefusedUnit[] };

function besidesOf(choices: readonly Choice[], problems: readonly Problem[], own: unknown): ClaimBesides {
  const keeper = new CandidateKeeper();
  const kept = choices.map(({ unit, candidate, alternates }) => ({
    unit,
    candidate: keeper.keep(candidate),
    alternates: alternates.map((alternate) => keeper.keep(alternate)),
  }));
  return { found: keeper.providers, choices: kept, problems, own };
}

/** Writes all choices in one transaction. */
async function writeChoices(
  scope: RequestScope,
  consumers: readonly ClaimConsumer[],
  choices: readonly Choice[],
  besides: ClaimBesides,
  affinity: Optional<WrittenAffinity>,
): Promise<Outcome> {
  const members = choices.flatMap(({ unit, candidate }) =>
    unit.members.map((index) => ({ index, unit, seeks: index === unit.seeker, candidate })),
  );
  const holders = members.map(({ index, seeks, candidate }): ConsumerAllocations => {
    const { takeFrom, ...consumer } = consumers[index] as ClaimConsumer;
    return { ...consumer, hold: seeks ? { allocations: allocationsOf(candidate) } : { takeFrom } };
  });
  try {
    return { written: await replaceAllocations(scope, { consumers: holders, ...(affinity && { affinity }) }, besides) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const seekers = new Set(choices.map(({ unit }) => consumers[unit.seeker]?.consumer));
    const refusal = error.relabelled((problem) => placeInClaim(problem, members));
    const refused = choices.flatMap(({ unit }): RefusedUnit[] => {
      const problems = refusal.problems.filter(({ path }) => path[0] === 'consumers' && unit.members.includes(Number(path[1])));
      return problems.length === 0 ? [] : [{ unit, problems, mayTryAnother: problems.every((problem) => mayTryAnother(problem, seekers)) }];
    });
    return { refusal, refused };
  }
}

const codesOfLostCandidates: ReadonlySet<RefusalCode> = new Set([
  'CAPACITY_EXCEEDED',
  'NO_INVENTORY',
  'UNIT_VIOLATION',
  'AFFINITY_VIOLATION',
]);

/** Whether the candidate was lost to another write, so that another one may be tried; the refusal of a consumer that takes over is final. */
function mayTryAnother(problem: Problem, seekers: ReadonlySet<string | undefined>): boolean {
  if (problem.code === 'NOT_FOUND') return problem.noun === 'resourceProvider' || problem.noun === 'resourceClass';
  return codesOfLostCandidates.has(problem.code) && 'consumer' in problem && seekers.has(problem.consumer);
}

/** Converts paths in the written consumers to paths in the claim. */
function placeInClaim({ path }: Problem, members: readonly { readonly index: number }[]): Path {
  const member = path[0] === 'consumers' ? members[Number(path[1])] : undefined;
  if (!member) return [];
  // The caller did not choose the allocations.
  return ['consumers', member.index, ...(path[2] === 'hold' ? [] : path.slice(2))];
}

/** For each chosen candidate, candidates on roots that this claim did not choose, in the same partition of the cloud (such as a cell). */
function withAlternates(
  forest: Forest,
  chosen: readonly Omit<Choice, 'alternates'>[],
  { alternates, alternatesIn }: ClaimInput,
  others: Turns['others'],
): Choice[] {
  const count = alternates ?? 0;
  const found = new Map<Omit<Choice, 'alternates'>, readonly FoundCandidate[]>();
  for (const { members, clauses } of count === 0 ? [] : sidesOf(forest, chosen, alternatesIn ?? [])) {
    const free = others(clauses, count * members.length).map((candidate) => renderCandidate(forest, candidate));
    // Each gets its own share, so that two consumers are not given the same alternates.
    for (const [place, member] of members.entries()) found.set(member, rotate(free, place * count).slice(0, count));
  }
  return chosen.map((choice) => ({ ...choice, alternates: found.get(choice) ?? [] }));
}

/** Groups the choices by which of these aggregates their roots are in, with the clauses that select the roots of the same group. */
function sidesOf<One extends { readonly candidate: FoundCandidate }>(
  forest: Forest,
  chosen: readonly One[],
  aggregates: readonly string[],
) {
  const sides = new Map<string, { readonly members: One[]; readonly clauses: readonly MembershipClause[] }>();
  for (const one of chosen) {
    const own = forest.findByUuid(one.candidate.root.uuid)?.aggregates;
    const isIn = (uuid: string) => own?.has(forest.aggregates.idOf(uuid) ?? -1) ?? false;
    const [allOf, noneOf] = [aggregates.filter(isIn), aggregates.filter((uuid) => !isIn(uuid))];
    const side = sides.get(allOf.join()) ?? { members: [], clauses: [{ allOf, noneOf }] };
    sides.set(allOf.join(), side);
    side.members.push(one);
  }
  return sides.values();
}

/** The result in an answer, fresh or replayed: candidates with their providers as they are after the claim, alternates as they were found. */
function claimedBy({ consumers, providers, besides }: AllocationsWritten): Claimed {
  const { found, choices, problems, own } = besides as ClaimBesides;
  const after = new Map(providers.map((provider) => [provider.uuid, provider]));
  const now = found.map((provider) => after.get(provider.uuid) ?? provider);
  const written = consumers.values();
  const claims = choices.flatMap(({ unit, candidate, alternates }) =>
    unit.members.map((index) => ({
      index,
      consumer: written.next().value as Consumer,
      candidate: index === unit.seeker ? candidateWith(now, candidate) : null,
      alternates: index === unit.seeker ? alternates.map((alternate) => candidateWith(found, alternate)) : [],
    })),
  );
  return { claims: claims.sort((a, b) => a.index - b.index), providers, problems, own };
}

function rotate<Element>(elements: readonly Element[], by: number): readonly Element[] {
  const start = elements.length === 0 ? 0 : by % elements.length;
  return [...elements.slice(start), ...elements.slice(0, start)];
}
