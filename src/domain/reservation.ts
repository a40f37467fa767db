// A reservation: amounts that are kept for a project from one moment to another.

export interface Reservation {
  readonly id: number;
  readonly uuid: string;
  /** External id of the project that may claim from it. */
  readonly project: string;
  readonly generation: number;
  readonly startsAt: string;
  readonly endsAt: string;
  /** By the clock of the database. */
  readonly hasBegun: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The amount of a class that a reservation keeps on a provider, and what is claimed of it, in units of the class. */
export interface ReservedAmount {
  /** Uuid of the provider. */
  readonly provider: string;
  readonly resourceClass: string;
  readonly amount: number;
  readonly claimed: number;
}

/** A period of time, up to its end but without it. */
export interface Period {
  /** RFC 3339 in UTC. */
  readonly from: string;
  readonly until: string;
}

/** Conditions on a reservation; all that are given must hold. */
export interface ReservationFilter {
  /** External ids. */
  readonly projects?: readonly string[];
  /** It has amounts on one of these providers. */
  readonly resourceProviders?: readonly string[];
  /** It runs at some moment of this period. */
  readonly during?: Period;
}
