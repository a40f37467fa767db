// Search and claim in one call. The search sees the state that was committed when it began; the write checks everything again under lock, so a
// concurrent claim costs another round, never a wrong answer.

import { randomInt } from 'node:crypto';
import { selectReservationsByUuids } from '../../db/reservations.ts';
import { hasReservations } from '../../db/room-in-time.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import type { Weigh } from '../../domain/candidates/ranked.ts';
import type { CandidateRequest, RootRule } from '../../domain/candidates/request.ts';
import { type Problem, Refusal, refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Period } from '../../domain/reservation.ts';
import { type AffinityGroup, affinityIn, findUnitedRoots, writtenAffinity } from '../allocations/affinity.ts';
import type { ExpiryInput } from '../allocations/expiry.ts';
import { findHolders } from '../allocations/holdings.ts';
import { countingRefusals } from '../allocations/refused-claims.ts';
import { forestOf } from '../forest/forest.ts';
import { forestDuring, forestOfReservation } from '../forest/forest-in-time.ts';
import { Reservations } from '../forest/reservations.ts';
import { searchForest } from '../forest/search.ts';
import type { RequestScope } from '../scope/scope.ts';
import { findFirstAnswer } from '../scope/write.ts';
import { AggregateCaps, isForWantOfRoom } from './aggregate-caps.ts';
import type { FoundCandidate } from './candidates.ts';
import { type ClaimInput, parseUnits, type Unit } from './claim-units.ts';
import { type Claimed, claimedBy, type Outcome, writeProposals } from './claim-writes.ts';
import { propose } from './proposals.ts';
import { forestFor, parseRequest } from './requests.ts';

/** What another operation adds to the claims that it makes. */
export interface ClaimGuidance {
  /** What its own answer needs on a replay (`own`), for all candidates that are returned. */
  readonly describe?: (candidates: readonly FoundCandidate[]) => Promise<unknown>;
  readonly rootRules?: readonly RootRule[];
  /** Instead of the order of the request. Called for each round. */
  readonly weighIn?: ((forest: Forest) => Weigh) | null;
  readonly affinity?: AffinityGroup | null;
  /** Uuids of roots that consumers still hold but have left; these do not count for the affinity. */
  readonly leaving?: readonly string[];
  /** The maximum number of consumers, if it is less than that of any claim. */
  readonly mostConsumers?: number;
}

/** Rounds before a claim gives up, each lost to a concurrent write. */
const maxRounds = limits.claimRounds;
/** Together with those that find the cap of an aggregate. */
const mostRounds = 5 * maxRounds;

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
export function claim(scope: RequestScope, input: ClaimInput): Promise<Claimed> {
  return countingRefusals(scope, () => tryClaim(scope, input));
}

/** claim as one attempt of a claim that may make several: its refusals are not counted. */
export async function tryClaim(scope: RequestScope, input: ClaimInput, guidance: ClaimGuidance = {}): Promise<Claimed> {
  const units = parseUnits(input, guidance.mostConsumers ?? limits.claimConsumers);
  const request = { ...parseRequest(input.request, ['request']), rootRules: guidance.rootRules ?? [] };
  try {
    return await findNowOrInTime(scope, { input, units, request }, guidance);
  } catch (error) {
    // A repeated claim gets its first answer when it writes. Only one that no longer finds anything to write looks for that answer here: if each claim
    // with a key asked before its search, they would arrive one by one, and half as many would share a call.
    const first = error instanceof Refusal ? await findFirstAnswer(scope, 'replace_allocations') : null;
    if (first === null) throw error;
    return claimedBy(first);
  }
}

/** Consumers that expire may hold until then what is promised for later: where nothing has room that lasts, such room is looked for. */
async function findNowOrInTime(scope: RequestScope, parsed: Parsed, guidance: ClaimGuidance): Promise<Claimed> {
  try {
    return await findAndTake(scope, parsed, guidance, null);
  } catch (error) {
    if (!(error instanceof Refusal) || !error.problems.some(isForWantOfRoom)) throw error;
    const period = periodUntil(parsed.input.consumers.map(({ expiry, reservation }) => (reservation ? null : expiry)));
    if (period === null || !(await hasReservations(scope.db))) throw error;
    return findAndTake(scope, parsed, guidance, period);
  }
}

/** From now until the last of these moments; null if one of them never comes. */
function periodUntil(expiries: readonly Optional<ExpiryInput>[]): Period | null {
  const now = Date.now();
  const ends = expiries.map((expiry) =>
    typeof expiry?.at === 'string' ? Date.parse(expiry.at) : now + (expiry?.afterSeconds ?? Number.POSITIVE_INFINITY) * 1000,
  );
  const last = Math.max(...ends);
  return Number.isFinite(last) ? { from: new Date(now).toISOString(), until: new Date(last).toISOString() } : null;
}

/** The present forest of a request, and what of it the claim may take: what a reservation keeps, what fits in a period, or what lasts. */
async function forestOfClaim(scope: RequestScope, { input, request }: Parsed, period: Period | null) {
  const present = await forestFor(scope, request, ['request'], true);
  const reservation = input.consumers[0]?.reservation ?? null;
  if (reservation !== null) {
    const [known] = await selectReservationsByUuids(scope.db, [reservation], null);
    if (!known) throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'reservation', key: reservation } }, ['consumers', 0, 'reservation']);
    return { present, forest: await forestOfReservation(scope, present, reservation) };
  }
  return { present, forest: period ? await forestDuring(scope, present, period) : present };
}

async function findAndTake(
  scope: RequestScope,
  parsed: Parsed,
  { describe = async () => null, weighIn = null, affinity = null, leaving = [] }: ClaimGuidance,
  period: Period | null,
): Promise<Claimed> {
  const { input, units, request } = parsed;
  const { consumers } = input;
  const together = input.mode !== 'BEST_EFFORT';
  const dropped = new Map<Unit, readonly Problem[]>();
  const seekers = new Set(units.map(({ seeker }) => consumers[seeker]?.consumer ?? ''));
  const others = affinity?.members.filter((member) => !seekers.has(member)) ?? [];
  let everywhere: Awaited<ReturnType<typeof findUnitedRoots>>;
  const caps = new AggregateCaps(consumers);
  for (let round = 1, lost = 0; ; round++) {
    const open = units.filter((unit) => !dropped.has(unit));
    const present = others.length > 0 ? await findHolders(scope, others) : new Map();
    const { present: known, forest } = await forestOfClaim(scope, parsed, period);
    const by = affinity?.unitedBy;
    // One instance joins the others; several may be the first on any host. The write checks hosts that have changed since.
    if (by && units.length > 1) everywhere ??= await findUnitedRoots(scope, forest, by, null);
    const united = everywhere ?? (by && (await findUnitedRoots(scope, forest, by, present.values())));
    const conditions = {
      affinity: affinity && affinityIn(forest, { ...affinity, united }, present.values()),
      weigh: weighIn?.(forest) ?? null,
      seed: randomInt(2 ** 31 - 1),
    };
    // The claims in progress here are about to take other room than that of a reservation or period.
    const reservations = forest === known ? forestOf(scope.db).reservations : new Reservations();
    const search = propose(forest, request, open, input, conditions, reservations, scope.mutation?.key?.hash ?? null, caps);
    const { proposals, missing, reservation } = await searchForest(scope, 'claim', search, forest !== known);
    let outcome: Outcome;
    try {
      if (missing.length > 0 && together) throw new Refusal(missing.slice(0, 1));
      const problems = [...[...dropped.values()].flat(), ...missing];
      const own = await describe(proposals.flatMap(({ candidate, alternates }) => [candidate, ...alternates]));
      if (proposals.length === 0) {
        // A concurrent duplicate of this call may have claimed what this one looked for.
        const answer = await findFirstAnswer(scope, 'replace_allocations');
        return answer ? claimedBy(answer) : { claims: [], providers: [], problems, own };
      }
      outcome = await writeProposals(scope, consumers, proposals, { problems, own }, affinity && writtenAffinity(affinity, leaving));
      reservation.isWritten = 'written' in outcome;
    } finally {
      if (!reservation.isWritten) reservations.giveBack(reservation);
    }
    if ('written' in outcome) return claimedBy(outcome.written);
    const { refusal, refused } = outcome;
    const final = refused.filter(({ unit, problems, mayTryAnother }) => {
      const placed = proposals.find((proposal) => proposal.unit === unit);
      return !mayTryAnother || !placed || !caps.isPlacedThere(forest, placed, problems);
    });
    if (together ? final.length > 0 : refused.length === 0) throw refusal;
    if (!(await caps.learn(scope.db, forest, request, proposals, refused))) lost += 1;
    const isLast = lost >= maxRounds || round >= mostRounds;
    if (together && isLast) throw refusal;
    // With BEST_EFFORT, a unit that cannot be served is dropped, so that the others proceed; a unit that only lost a race tries again with them.
    if (!together) for (const { unit, problems } of isLast ? refused : final) dropped.set(unit, problems);
  }
}
