// Search and claim in one call. The search sees the state that was committed when it began; the write checks everything again under lock, so a
// concurrent claim costs another round, never a wrong answer.

import { randomInt } from 'node:crypto';
import type { Forest } from '../../domain/candidates/forest.ts';
import type { Weigh } from '../../domain/candidates/ranked.ts';
import type { CandidateRequest, RootRule } from '../../domain/candidates/request.ts';
import { type Problem, Refusal } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { type AffinityGroup, affinityIn, findUnitedRoots, writtenAffinity } from '../allocations/affinity.ts';
import { findHolders } from '../allocations/holdings.ts';
import { countingRefusals } from '../allocations/refused-claims.ts';
import { forestOf } from '../forest/forest.ts';
import { Reservations } from '../forest/reservations.ts';
import { searchForest } from '../forest/search.ts';
import type { RequestScope } from '../scope/scope.ts';
import { findFirstAnswer } from '../scope/write.ts';
import { AggregateCaps } from './aggregate-caps.ts';
import type { FoundCandidate } from './candidates.ts';
import { type ClaimInput, parseUnits, type Unit } from './claim-units.ts';
import { type Claimed, claimedBy, type Outcome, writeProposals } from './claim-writes.ts';
import { findRoom } from './claimable-room.ts';
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
    return await findAndTake(scope, { input, units, request }, guidance);
  } catch (error) {
    // A repeated claim gets its first answer when it writes. Only one that no longer finds anything to write looks for that answer here: if each claim
    // with a key asked before its search, they would arrive one by one, and half as many would share a call.
    const first = error instanceof Refusal ? await findFirstAnswer(scope, 'replace_allocations') : null;
    if (first === null) throw error;
    return claimedBy(first);
  }
}

async function findAndTake(
  scope: RequestScope,
  parsed: Parsed,
  { describe = async () => null, weighIn = null, affinity = null, leaving = [] }: ClaimGuidance,
): Promise<Claimed> {
  const { input, units, request } = parsed;
  const { consumers } = input;
  const together = input.mode !== 'BEST_EFFORT';
  const dropped = new Map<Unit, readonly Problem[]>();
  const seekers = new Set(units.map(({ seeker }) => consumers[seeker]?.consumer ?? ''));
  const others = affinity?.members.filter((member) => !seekers.has(member)) ?? [];
  let everywhere: Awaited<ReturnType<typeof findUnitedRoots>>;
  const caps = new AggregateCaps(consumers);
  const room = await findRoom(scope, consumers);
  for (let round = 1, lost = 0; ; round++) {
    const open = units.filter((unit) => !dropped.has(unit));
    const present = others.length > 0 ? await findHolders(scope, others) : new Map();
    const known = await forestFor(scope, request, ['request'], true);
    const forest = await room.in(known);
    const by = affinity?.unitedBy;
    // One instance joins the others; several may be the first on any host. The write checks hosts that have changed since.
    if (by && units.length > 1) everywhere ??= await findUnitedRoots(scope, known, by, null);
    const united = everywhere ?? (by && (await findUnitedRoots(scope, known, by, present.values())));
    const conditions = {
      // Members may be where a reservation keeps nothing.
      affinity: affinity && affinityIn(known, { ...affinity, united }, present.values()),
      weigh: weighIn?.(forest) ?? null,
      seed: randomInt(2 ** 31 - 1),
    };
    // The claims in progress here are about to take other room than that of a reservation or period.
    const reservations = forest === known ? forestOf(scope.db).reservations : new Reservations();
    const search = propose(forest, request, open, input, conditions, reservations, scope.mutation?.key?.hash ?? null, caps);
    const { proposals, missing, reservation } = await searchForest(scope, 'claim', search, forest !== known);
    let outcome: Outcome;
    try {
      if (missing.length > 0 && (await room.widen())) continue;
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
