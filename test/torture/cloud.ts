// What the clients of a run know of the cloud: providers, and places for consumers, whose state they learn from answers. May be wrong, as clients are.
import type { Dice } from '../support/dice.ts';
import { uuidOf } from '../support/seed.ts';
import type { Held, Reading } from './history.ts';

/** A place for a consumer. Each consumer lives once: its uuid is not used again after its release. */
export interface Place {
  uuid: string;
  /** The last generation heard of; null: not created yet, as far as one knows. */
  generation: number | null;
  /** Whether it may go by itself. */
  mayExpire?: boolean;
}

/** A place for a reservation. */
export interface Slot {
  uuid: string;
  generation: number | null;
  project: string;
  /** What it keeps, as far as one knows. */
  held: Held;
}

export class Cloud {
  /** Their capacity is never lowered, so that it may not be exceeded even for a moment. */
  readonly steady: readonly string[];
  /** Their inventories change. */
  readonly changing: readonly string[];
  /** Created, moved, renamed and deleted. */
  loose: readonly string[];
  /** With room for a crowd. */
  readonly wide: readonly string[];
  readonly places: readonly Place[];
  readonly slots: readonly Slot[];
  /** Consumers and reservations that were forgotten, and may still be there. */
  readonly forgotten: { consumers: string[]; reservations: string[] } = { consumers: [], reservations: [] };
  readonly aggregates: readonly string[];
  /** Those of most consumers. */
  readonly projects: readonly string[];
  /** Storage that hosts share, once it was reported. */
  readonly pools: readonly string[];
  /** Places that a search has offered; most are out of date. */
  tokens: readonly string[] = [];
  readonly #generations = new Map<string, number>();
  readonly #seed: string;
  #uuids = 0;

  constructor(seed: string, places = 20, projects = 'project') {
    this.#seed = seed;
    this.projects = [0, 1, 2].map((nth) => `${projects} ${nth}`);
    const uuids = (count: number) => Array.from({ length: count }, () => this.newUuid());
    this.steady = uuids(4);
    this.changing = uuids(3);
    this.loose = uuids(6);
    this.places = uuids(places).map((uuid) => ({ uuid, generation: null }));
    this.aggregates = uuids(4);
    this.pools = uuids(2);
    this.wide = uuids(2);
    this.slots = uuids(12).map((uuid, index) => ({ uuid, generation: null, project: this.projects[index % 3] as string, held: {} }));
  }

  /** A uuid, or an idempotency key, that nobody has used. */
  newUuid(): string {
    this.#uuids += 1;
    return uuidOf(`${this.#seed} ${this.#uuids}`);
  }

  /** Takes note of what was read or told. */
  learn(readings: readonly Reading[]): void {
    for (const { subject, uuid, generation, held = {} } of readings) {
      if (subject === 'provider' && generation !== null)
        this.#generations.set(uuid, Math.max(generation, this.#generations.get(uuid) ?? 0));
      const place = subject === 'consumer' && this.places.find((other) => other.uuid === uuid);
      if (place && (generation ?? 0) >= (place.generation ?? 0)) place.generation = generation;
      else if (place && generation === null && place.mayExpire) this.vacate(place);
      const slot = subject === 'reservation' && this.slots.find((other) => other.uuid === uuid);
      if (slot && (generation ?? 0) >= (slot.generation ?? 0)) [slot.generation, slot.held] = [generation, held];
      else if (slot && generation === null) this.vacateSlot(slot);
    }
  }

  keepTokens(tokens: readonly string[]): void {
    this.tokens = [...this.tokens, ...tokens].slice(-20);
  }

  generationOf(provider: string): number {
    return this.#generations.get(provider) ?? 0;
  }

  /** Forgets a consumer that is being released, or may be. */
  vacate(place: Place): void {
    this.forgotten.consumers = [...this.forgotten.consumers, place.uuid].slice(-50);
    [place.uuid, place.generation, place.mayExpire] = [this.newUuid(), null, false];
  }

  /** Forgets a reservation that has gone. */
  vacateSlot(slot: Slot): void {
    this.forgotten.reservations = [...this.forgotten.reservations, slot.uuid].slice(-50);
    [slot.uuid, slot.generation, slot.held] = [this.newUuid(), null, {}];
  }

  /** Forgets a provider that is being deleted, or may be. */
  replaceLoose(provider: string): void {
    this.loose = [...this.loose.filter((other) => other !== provider), this.newUuid()];
  }

  /** Some places, no two the same. */
  choosePlaces(roll: Dice, count: number): Place[] {
    const chosen = new Set<Place>();
    while (chosen.size < count) chosen.add(pick(roll, this.places));
    return [...chosen];
  }
}

export function pick<Value>(roll: Dice, values: readonly Value[]): Value {
  return values[roll(values.length)] as Value;
}
