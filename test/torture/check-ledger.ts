// Whether the events, replayed in order, are a history that the rules allow, and lead to the tables: no capacity exceeded, no unit violated, no
// generation skipped. Uses only rows.
import { type Change, canonical, heldIn, type LedgerEvent, type Say, type State, type Tables, type Violation } from './history.ts';

interface Inventory {
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  readonly allocationRatio: number;
}

type Noun = keyof Tables;
const nouns: readonly Noun[] = ['providers', 'consumers', 'services'];

/** `events` in the order of their ids: of one subject that is the order of commits, because its lock is held when the id is drawn. */
export function checkLedger(events: readonly LedgerEvent[], tables: Tables): Violation[] {
  const violations: Violation[] = [];
  const say = (anomaly: string, text: string) => void violations.push({ anomaly, text });
  const states = { providers: new Map<string, State>(), consumers: new Map<string, State>(), services: new Map<string, State>() };
  const used = new Map<string, number>();
  for (const event of events) {
    for (const noun of nouns) {
      for (const [uuid, change] of Object.entries(event.changes[noun] ?? {})) {
        checkStep(noun, uuid, states[noun].get(uuid) ?? null, change, event.id, say);
      }
    }
    const growth = growthOf(event, states.consumers);
    for (const noun of nouns) {
      for (const [uuid, { after }] of Object.entries(event.changes[noun] ?? {})) {
        if (after === null) states[noun].delete(uuid);
        else states[noun].set(uuid, { ...states[noun].get(uuid), ...after });
      }
    }
    checkRoom(event, growth, used, states, say);
  }
  for (const noun of nouns) {
    for (const uuid of new Set([...states[noun].keys(), ...tables[noun].keys()])) {
      const [replayed, row] = [states[noun].get(uuid), tables[noun].get(uuid)].map(canonical);
      if (replayed !== row) say('tables differ from events', `${noun} ${uuid}: the events say ${replayed}, the tables ${row}`);
    }
  }
  return violations;
}

/** An event begins where the subject's last one ended, and raises its generation. */
function checkStep(noun: Noun, uuid: string, known: State | null, { before, after }: Change, id: number, say: Say): void {
  const begins =
    known === null || before === null
      ? known === before
      : Object.entries(before).every(([part, value]) => canonical(known[part]) === canonical(value));
  if (!begins) say('broken chain', `event ${id} does not begin where ${noun} ${uuid} was: ${canonical([known, before])}`);
  if (after === null || noun !== 'consumers') return;
  const [from, to] = [Number(before?.generation ?? 0), Number(after.generation)];
  if (to !== from + 1) say('generation gap', `event ${id} takes ${noun} ${uuid} from ${from} to ${to}`);
}

/** By how much each inventory is used more after an event. */
function growthOf({ changes }: LedgerEvent, consumers: ReadonlyMap<string, State>): Map<string, number> {
  const growth = new Map<string, number>();
  for (const [uuid, { after }] of Object.entries(changes.consumers ?? {})) {
    const was = consumers.get(uuid) ?? null;
    for (const [inventory, amount] of Object.entries(heldIn(was))) growth.set(inventory, (growth.get(inventory) ?? 0) - amount);
    // An event has only the parts that changed.
    const now = after === null ? {} : heldIn({ ...was, ...after });
    for (const [inventory, amount] of Object.entries(now)) growth.set(inventory, (growth.get(inventory) ?? 0) + amount);
  }
  return growth;
}

function checkRoom(
  event: LedgerEvent,
  growth: ReadonlyMap<string, number>,
  used: Map<string, number>,
  states: Readonly<Record<Noun, ReadonlyMap<string, State>>>,
  say: Say,
): void {
  const inventoryOf = (key: string) => {
    const [provider = '', resourceClass = ''] = key.split('/');
    return (states.providers.get(provider)?.inventories as Readonly<Record<string, Inventory>> | undefined)?.[resourceClass];
  };
  for (const [key, more] of growth) {
    const now = (used.get(key) ?? 0) + more;
    used.set(key, now);
    if (more <= 0) continue;
    const inventory = inventoryOf(key);
    if (!inventory) say('no inventory', `event ${event.id} allocates ${more} of ${key}`);
    else if (now > capacityOf(inventory))
      say('capacity exceeded', `event ${event.id}: ${now} of ${capacityOf(inventory)} of ${key} are used`);
  }
  for (const [uuid, { after }] of Object.entries(event.changes.consumers ?? {})) {
    for (const [key, amount] of Object.entries(heldIn(after))) {
      const inventory = inventoryOf(key);
      if (!inventory || !(growth.get(key) ?? 0)) continue;
      const { minUnit, maxUnit, stepSize } = inventory;
      if (amount < minUnit || amount > maxUnit || amount % stepSize !== 0)
        say('unit violated', `event ${event.id}: ${uuid} holds ${amount} of ${key}`);
    }
  }
}

const capacityOf = ({ total, reserved, allocationRatio }: Inventory) => Math.trunc((total - reserved) * allocationRatio);
