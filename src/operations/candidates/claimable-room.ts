// Where claims look for room: in what their reservation keeps; otherwise in what lasts and, for consumers that expire, in what is promised for later.
import { selectConsumersByUuids } from '../../db/consumers.ts';
import { selectReservationsByUuids } from '../../db/reservations.ts';
import { selectTimeOfReservations } from '../../db/room-in-time.ts';
import type { Db } from '../../db/sql/client.ts';
import type { Forest } from '../../domain/candidates/forest.ts';
import { invalidInput, refusalOf } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { type ExpiryInput, parseExpiry } from '../allocations/expiry.ts';
import { forestDuring, forestOfReservation } from '../forest/forest-in-time.ts';
import { InputCheck } from '../request/input.ts';
import type { ClaimConsumer } from './claim-units.ts';

type RoomSeeker = Pick<ClaimConsumer, 'consumer' | 'expect' | 'takeFrom' | 'expiry' | 'reservation'>;

export class ClaimableRoom {
  readonly #scope: { readonly db: Db };
  readonly #reservation: string | null;
  readonly #expiries: readonly Optional<ExpiryInput>[];
  /** Milliseconds by which the clock of the database is ahead, once what is promised for later is looked for. */
  #ahead: number | null = null;

  constructor(scope: { readonly db: Db }, reservation: string | null, expiries: readonly Optional<ExpiryInput>[]) {
    this.#scope = scope;
    this.#reservation = reservation;
    this.#expiries = expiries;
  }

  /** A forest with what may be taken; the present one itself if that has no other limit. To be called while that is valid. */
  async in(present: Forest): Promise<Forest> {
    if (this.#reservation !== null) return forestOfReservation(this.#scope, present, this.#reservation);
    if (this.#ahead === null) return present;
    // Anew for each search: claims expire after their write, not after the first search.
    const now = Date.now() + this.#ahead;
    const period = { from: new Date(now).toISOString(), until: new Date(this.#end(now)).toISOString() };
    return forestDuring(this.#scope, present, period);
  }

  /** Lets `in` include what is promised for later than the last of the consumers expires. Returns whether that is more. */
  async widen(): Promise<boolean> {
    if (this.#reservation !== null || this.#ahead !== null || !Number.isFinite(this.#end(0))) return false;
    const time = await selectTimeOfReservations(this.#scope.db);
    this.#ahead = time && time - Date.now();
    return this.#ahead !== null;
  }

  /** When the last of the consumers expires; never, if one of them lasts. */
  #end(now: number): number {
    const ends = this.#expiries.map((expiry) =>
      typeof expiry?.at === 'string' ? Date.parse(expiry.at) : now + (expiry?.afterSeconds ?? Number.POSITIVE_INFINITY) * 1000,
    );
    return Math.max(...ends);
  }
}

/**
 * Finds the room in which the consumers of a claim may be placed. Existing consumers keep their reservation and expiry unless others are named. Refuses NOT_FOUND for a
 * reservation, INVALID_INPUT for several and for expiries. At most one statement.
 */
export async function findRoom(scope: { readonly db: Db }, consumers: readonly RoomSeeker[]): Promise<ClaimableRoom> {
  const check = new InputCheck();
  for (const [index, { expiry }] of consumers.entries()) parseExpiry(check, ['consumers', index, 'expiry'], expiry);
  check.done();
  const seekers = consumers.filter(({ takeFrom }) => typeof takeFrom !== 'string');
  const [first] = seekers;
  const placeOf = (seeker: RoomSeeker) => ['consumers', consumers.indexOf(seeker), 'reservation'];
  if (typeof first?.reservation === 'string') {
    const { reservation } = first;
    const [known] = await selectReservationsByUuids(scope.db, [reservation], null);
    if (!known) throw refusalOf({ code: 'NOT_FOUND', details: { noun: 'reservation', key: reservation } }, placeOf(first));
    return new ClaimableRoom(scope, reservation, []);
  }
  const existing = seekers.filter(({ expect }) => !expect.isNew).map(({ consumer }) => consumer);
  const rows = existing.length > 0 ? await selectConsumersByUuids(scope.db, existing) : [];
  const before = new Map(rows.map((row) => [row.uuid, row]));
  const reservationOf = ({ consumer }: RoomSeeker) => before.get(consumer)?.reservation ?? null;
  const reservation = first ? reservationOf(first) : null;
  const other = seekers.find((seeker) => reservationOf(seeker) !== reservation);
  if (other) {
    throw invalidInput(placeOf(other), 'reservation must be the same for all consumers of a claim, also if they keep theirs');
  }
  return new ClaimableRoom(
    scope,
    reservation,
    seekers.map(({ consumer, expiry }) => expiry ?? { at: before.get(consumer)?.expiresAt }),
  );
}
