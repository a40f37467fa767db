// The search of a claim: a candidate for each unit in turn, with alternates, beside what other claims have reserved.
import { explainInParts } from '../../domain/candidates/explain.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { searchInTurn, type TurnConditions, type Turns } from '../../domain/candidates/in-turn.ts';
import type { CandidateRequest } from '../../domain/candidates/request.ts';
import type { UsedAmount } from '../../domain/candidates/supposed-use.ts';
import { type Problem, problemOf } from '../../domain/errors.ts';
import type { MembershipClause } from '../../domain/provider.ts';
import type { Reservation, Reservations } from '../forest/reservations.ts';
import type { AggregateCaps } from './aggregate-caps.ts';
import { type FoundCandidate, renderCandidate } from './candidates.ts';
import type { ClaimInput, Unit } from './claim-units.ts';

/** What is proposed for a unit: a candidate to take, and alternates, which nothing is taken from. */
export interface Proposal {
  readonly unit: Unit;
  readonly candidate: FoundCandidate;
  readonly alternates: readonly FoundCandidate[];
}

/** A proposal whose alternates are still to be found. */
type Taken = Omit<Proposal, 'alternates'>;

/** The proposals for units in turn, which are reserved, and a problem for each unit without a candidate. */
interface Proposed {
  readonly proposals: readonly Proposal[];
  readonly missing: readonly Problem[];
  readonly reservation: Reservation;
}

/** Proposes for each unit in turn, within the caps: beside what is reserved if there is enough, otherwise as if nothing were. Pauses now and then. */
export function* propose(
  forest: Forest,
  request: CandidateRequest,
  given: readonly Unit[],
  input: ClaimInput,
  conditions: TurnConditions,
  reservations: Reservations,
  key: string | null,
  caps: AggregateCaps,
): Generator<void, Proposed> {
  const units = caps.inOrder(given);
  const proposeBeside = (reserved: readonly UsedAmount[]) =>
    searchInTurn(
      forest,
      request,
      units.length,
      function* ({ candidates, turns, next, others }): Generator<void, Proposed | null> {
        const served = new Set(turns);
        const left = units.filter((_, turn) => !served.has(turn));
        if (left.length > 0 && reserved.length > 0) return null;
        const hold = () =>
          reservations.hold(
            candidates.flatMap(({ allocations }) => allocations),
            key,
          );
        const taken = candidates.map((candidate, place) => ({
          unit: units[turns[place] as number] as Unit,
          candidate: renderCandidate(forest, candidate),
        }));
        // These candidates still count as used here, so what is free now is free in addition to them.
        const proposals = withAlternates(forest, taken, input, others);
        if (left.length === 0) return { proposals, missing: [], reservation: hold() };
        const explanation = yield* explainInParts(forest, next);
        const missing = left.map((unit): Problem => {
          const consumer = input.consumers[unit.seeker]?.consumer ?? '';
          return caps.reasonFor(unit, problemOf({ code: 'NO_CANDIDATES', details: { consumer, explanation } }, ['consumers', unit.seeker]));
        });
        return { proposals, missing, reservation: hold() };
      },
      { ...conditions, reserved, outside: caps.outside(forest, units) },
    );
  // Claims by age or by chance nearly always find the same host with and without the reservations.
  const compares = conditions.weigh != null || request.order.some(({ by }) => by === 'FREE');
  const beside = yield* proposeBeside(compares ? reservations.amountsIn(forest, key) : []);
  return beside ?? ((yield* proposeBeside([])) as Proposed);
}

/**
 * Adds candidates on roots that this claim does not take, in the same partition of the cloud (such as a cell). None for a consumer that keeps something, because
 * the write of an alternate replaces all that it holds.
 */
function withAlternates(
  forest: Forest,
  taken: readonly Taken[],
  { consumers, alternates, alternatesIn }: ClaimInput,
  others: Turns['others'],
): Proposal[] {
  const count = alternates ?? 0;
  const found = new Map<Taken, readonly FoundCandidate[]>();
  const served = count === 0 ? [] : taken.filter(({ unit }) => !consumers[unit.seeker]?.keeps);
  for (const { members, clauses } of sidesOf(forest, served, alternatesIn ?? [])) {
    const free = others(clauses, count * members.length).map((candidate) => renderCandidate(forest, candidate));
    // Each gets its own share, so that two consumers are not given the same alternates.
    for (const [place, member] of members.entries()) found.set(member, rotate(free, place * count).slice(0, count));
  }
  return taken.map((one) => ({ ...one, alternates: found.get(one) ?? [] }));
}

/** Groups candidates by which of these aggregates their roots are in, with the clauses that select the roots of the same group. */
function sidesOf(forest: Forest, taken: readonly Taken[], aggregates: readonly string[]) {
  const sides = new Map<string, { readonly members: Taken[]; readonly clauses: readonly MembershipClause[] }>();
  for (const one of taken) {
    const own = forest.findByUuid(one.candidate.root.uuid)?.aggregates;
    const isIn = (uuid: string) => own?.has(forest.aggregates.idOf(uuid) ?? -1) ?? false;
    const [allOf, noneOf] = [aggregates.filter(isIn), aggregates.filter((uuid) => !isIn(uuid))];
    const side = sides.get(allOf.join()) ?? { members: [], clauses: [{ allOf, noneOf }] };
    sides.set(allOf.join(), side);
    side.members.push(one);
  }
  return sides.values();
}

function rotate<Element>(elements: readonly Element[], by: number): readonly Element[] {
  const start = elements.length === 0 ? 0 : by % elements.length;
  return [...elements.slice(start), ...elements.slice(0, start)];
}
