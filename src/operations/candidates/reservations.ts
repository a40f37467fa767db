// Makes, changes and gives up reservations. Each write is checked in the database at every moment of the reservation (db/writes/functions/replace_reservation.sql).
import type { DesiredReservation, HeldAmount } from '../../db/writes/contract.ts';
import type { AllocationInput } from '../../domain/allocation.ts';
import { explainInParts } from '../../domain/candidates/explain.ts';
import { searchInTurn } from '../../domain/candidates/in-turn.ts';
import { invalidInput, Refusal, type RefusalCode, refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Period, Reservation } from '../../domain/reservation.ts';
import { checkAllocations } from '../allocations/allocation-writes.ts';
import { withRoomOfExpired } from '../allocations/expiry.ts';
import { forestDuring } from '../forest/forest-in-time.ts';
import { workInTurn } from '../request/event-loop-share.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { findFirstAnswer, type Locate, write } from '../scope/write.ts';
import { type CandidatesInput, forestFor, parseRequest } from './requests.ts';

interface Expectation {
  readonly generation?: Optional<number>;
  readonly isNew?: Optional<boolean>;
  readonly unchecked?: Optional<boolean>;
}

export interface ReservationInput {
  readonly reservation: string;
  readonly expect: Expectation;
  readonly project?: Optional<string>;
  readonly startsAt?: Optional<string>;
  readonly endsAt?: Optional<string>;
  readonly hold?: Optional<{
    readonly allocations?: Optional<readonly AllocationInput[]>;
    readonly instances?: Optional<{ readonly count: number; readonly request: CandidatesInput }>;
    readonly hosts?: Optional<readonly string[]>;
  }>;
}

type Hold = NonNullable<ReservationInput['hold']>;

/**
 * Makes or changes a reservation, all or nothing. Refuses INVALID_INPUT, NOT_FOUND, RESERVATION_CONFLICT, NO_INVENTORY, CAPACITY_EXCEEDED, NO_CANDIDATES; instances
 * that lose a race for their candidates get others, up to ten times.
 */
export function replaceReservation(scope: RequestScope, input: ReservationInput): Promise<{ readonly reservation: Reservation }> {
  return withRoomOfExpired(scope.db, () => tryReservation(scope, input));
}

async function tryReservation(scope: RequestScope, input: ReservationInput): Promise<{ readonly reservation: Reservation }> {
  const check = new InputCheck();
  const expect = check.expectation(['expect'], { ...input.expect });
  const { reservation: uuid, project, startsAt, endsAt, hold } = input;
  check.text(['project'], project, limits.vocabularyLength);
  const given = Object.values(hold ?? {}).filter((part) => part !== null && part !== undefined);
  if (hold && given.length !== 1) check.add(['hold'], 'must have exactly one of allocations, instances and hosts');
  if (startsAt && endsAt && Date.parse(endsAt) <= Date.parse(startsAt)) check.add(['endsAt'], 'endsAt must be after startsAt');
  const fixed = hold ? fixedAmounts(check, hold) : {};
  const { count = 0 } = hold?.instances ?? {};
  if (hold?.instances && !(count >= 1 && count <= limits.claimConsumers)) {
    check.add(['hold', 'instances', 'count'], `count must be from 1 to ${limits.claimConsumers}`);
  }
  check.done();
  const wanted: DesiredReservation = {
    uuid,
    ...(project && { project }),
    ...(startsAt && { startsAt }),
    ...(endsAt && { endsAt }),
    ...fixed,
  };
  const send = (reservation: DesiredReservation) =>
    write(scope, 'replace_reservation', { reservation, expect, most: limits.reservationAmounts }, locate(input));
  if (!hold?.instances) return send(wanted);
  for (let round = 1; ; round++) {
    const amounts = await amountsOfInstances(scope, input, hold.instances);
    // A repeated call gets its first answer, whatever there is room for by now.
    if (amounts instanceof Refusal) {
      const first = await findFirstAnswer(scope, 'replace_reservation');
      if (first) return first;
      throw amounts;
    }
    try {
      return await send({ ...wanted, amounts });
    } catch (error) {
      if (round >= limits.claimRounds || !isLostRace(error)) throw error;
    }
  }
}

const codesOfLostRaces: ReadonlySet<RefusalCode> = new Set(['CAPACITY_EXCEEDED', 'NO_INVENTORY']);

function isLostRace(error: unknown): boolean {
  return error instanceof Refusal && error.problems.every(({ code }) => codesOfLostRaces.has(code));
}

function fixedAmounts(check: InputCheck, { allocations, hosts }: Hold): Pick<DesiredReservation, 'amounts' | 'hosts'> {
  if (allocations) {
    const amounts = checkAllocations(check, ['hold', 'allocations'], allocations);
    check.size(['hold', 'allocations'], amounts, 1, limits.reservationAmounts);
    return { amounts };
  }
  if (!hosts) return {};
  check.size(['hold', 'hosts'], hosts, 1, limits.reservationAmounts);
  check.unique(['hold', 'hosts'], hosts, (index) => [index]);
  return { hosts };
}

/** The amounts of so many candidates beside each other, at every moment of the reservation; the refusal, if there are fewer. */
async function amountsOfInstances(
  scope: RequestScope,
  { reservation, ...input }: ReservationInput,
  { count, request: asked }: NonNullable<Hold['instances']>,
): Promise<readonly HeldAmount[] | Refusal> {
  const path = ['hold', 'instances', 'request'];
  const request = parseRequest(asked, path);
  const known = await scope.loaders.reservationByUuid.load(reservation);
  // Others that they might get would not cover what is claimed.
  if (known && (await scope.loaders.consumersByReservation.load(known.id))) {
    return invalidInput(
      ['hold', 'instances'],
      'instances cannot be chosen anew while consumers claim from the reservation: give allocations',
    );
  }
  const period = periodOf(known, input);
  const forest = await forestDuring(scope, await forestFor(scope, request, path), period, reservation);
  const search = searchInTurn(forest, request, count, function* ({ candidates, next }) {
    if (candidates.length === count) return candidates.flatMap(({ allocations }) => allocations);
    const explanation = yield* explainInParts(forest, next);
    return refusalOf({ code: 'NO_CANDIDATES', details: { consumer: reservation, explanation } }, path);
  });
  const found = await workInTurn(search);
  if (found instanceof Refusal) return found;
  const sums = new Map<string, HeldAmount>();
  for (const { provider, classId, amount } of found) {
    const resourceClass = forest.classes.get(classId)?.name ?? '';
    const key = `${provider.id} ${classId}`;
    sums.set(key, { provider: provider.state.provider.uuid, resourceClass, amount: (sums.get(key)?.amount ?? 0) + amount });
  }
  return [...sums.values()];
}

/** When the reservation will run: as given, or as it is. */
function periodOf(known: Reservation | null, { startsAt, endsAt }: Omit<ReservationInput, 'reservation'>): Period {
  // Without either, the write refuses.
  const now = new Date().toISOString();
  return { from: startsAt ?? known?.startsAt ?? now, until: endsAt ?? known?.endsAt ?? now };
}

/** Gives up a reservation. Refuses NOT_FOUND, RESERVATION_CONFLICT, IN_USE. */
export async function releaseReservation(
  scope: RequestScope,
  { reservation, expect }: { readonly reservation: string; readonly expect: Expectation },
): Promise<{ readonly releasedUuid: string }> {
  const check = new InputCheck();
  const expected = check.expectation(['expect'], { ...expect });
  check.done();
  await write(scope, 'release_reservation', { reservation, expect: expected }, ({ code }) =>
    code === 'RESERVATION_CONFLICT' ? ['expect'] : ['reservation'],
  );
  return { releasedUuid: reservation };
}

/** Where the input says what a refusal is about. */
function locate({ hold }: ReservationInput): Locate {
  return ({ code, details }) => {
    if (code === 'RESERVATION_CONFLICT') return ['expect'];
    // The message begins with the name of the field.
    if (code === 'INVALID_INPUT') return [/^(project|startsAt|endsAt|hold)\b/.exec(details.message)?.[0] ?? 'reservation'];
    if (hold?.hosts) return 'key' in details ? ['hold', 'hosts', Math.max(hold.hosts.indexOf(details.key), 0)] : ['hold', 'hosts'];
    if (!hold?.allocations) return hold ? ['hold', 'instances'] : [];
    const provider = 'provider' in details ? details.provider : 'key' in details ? details.key : '';
    const resourceClass = 'resourceClass' in details ? details.resourceClass : 'key' in details ? details.key : '';
    const index = hold.allocations.findIndex(
      ({ resourceProvider, resources }) => resourceProvider === provider || resources.some((row) => row.resourceClass === resourceClass),
    );
    if (index < 0) return ['hold', 'allocations'];
    const row = hold.allocations[index]?.resources.findIndex((one) => one.resourceClass === resourceClass) ?? -1;
    return ['hold', 'allocations', index, ...(row < 0 ? ['resourceProvider'] : ['resources', row])];
  };
}
