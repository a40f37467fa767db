// Replays events in their order: what each found, and what it left. Knows no rules.
import type { LedgerEvent, State, Tables } from './history.ts';

export type Noun = keyof Tables;
export const nouns: readonly Noun[] = ['providers', 'consumers', 'services', 'reservations', 'quotas'];

/** The states of all subjects after an event. */
export type States = Readonly<Record<Noun, Map<string, State>>>;

export interface Step {
  readonly event: LedgerEvent;
  /** The state that an event has changed, as it was; null if there was none. */
  readonly was: (noun: Noun, uuid: string) => State | null;
  /** Changed by the next step. */
  readonly states: States;
}

export const emptyStates = (): States => ({
  ...{ providers: new Map(), consumers: new Map(), services: new Map() },
  ...{ reservations: new Map(), quotas: new Map() },
});

/** `events` in the order of their ids: of one subject that is the order of commits, because its lock is held when the id is drawn. */
export function* replay(events: readonly LedgerEvent[], states = emptyStates()): Generator<Step> {
  for (const event of events) {
    const before = emptyStates();
    for (const noun of nouns) {
      for (const [uuid, { after }] of Object.entries(event.changes[noun] ?? {})) {
        const known = states[noun].get(uuid);
        if (known) before[noun].set(uuid, known);
        if (after === null) states[noun].delete(uuid);
        else states[noun].set(uuid, { ...known, ...after });
      }
    }
    yield { event, was: (noun, uuid) => before[noun].get(uuid) ?? null, states };
  }
}
