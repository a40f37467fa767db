// What the claims of this gateway are about to write, or have written and the forest has not yet read. Other claims leave it to them if they can, so that
// searches at the same time find different hosts. Writes are checked under lock all the same, and no claim is refused because of a reservation.
import type { Forest } from '../../domain/candidates/forest.ts';
import type { UsedAmount } from '../../domain/candidates/supposed-use.ts';

/** By id, because the forest may replace the object of a provider meanwhile. */
interface ReservedAmount {
  readonly providerId: number;
  readonly classId: number;
  readonly amount: number;
}

/** The reservation of one claim. */
export interface Reservation {
  amounts: readonly ReservedAmount[];
  /** The hash of a claim with an idempotency key; null without one. */
  readonly key: string | null;
  isWritten: boolean;
}

export class Reservations {
  readonly #held = new Set<Reservation>();

  /** Reserves until it is given back. */
  hold(amounts: readonly UsedAmount[], key: string | null = null): Reservation {
    const reserved = amounts.map(({ provider, classId, amount }) => ({ providerId: provider.id, classId, amount }));
    const reservation = { amounts: reserved, key, isWritten: false };
    this.#held.add(reservation);
    return reservation;
  }

  giveBack(reservation: Reservation): void {
    this.#held.delete(reservation);
  }

  /** The reservations that were written: a read that begins now finds their amounts used. */
  written(): readonly Reservation[] {
    return [...this.#held].filter(({ isWritten }) => isWritten);
  }

  /** Everything that other claims reserve. Claims with a key and the same hash count as one, because only one of them is written. */
  amountsIn(forest: Forest, key: string | null = null): UsedAmount[] {
    return [...this.#held].flatMap((held) => {
      if (key !== null && held.key === key) return [];
      return held.amounts.flatMap(({ providerId, classId, amount }) => {
        const provider = forest.findById(providerId);
        return provider ? { provider, classId, amount } : [];
      });
    });
  }
}
