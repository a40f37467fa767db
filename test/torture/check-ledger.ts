// Whether the events, replayed in order, are a history that the rules allow, and lead to the tables: no capacity exceeded, no unit violated, no
// generation skipped. Uses only rows.
import { type Change, canonical, heldIn, type LedgerEvent, type Say, type State, type Tables, type Violation } from './history.ts';
import { emptyStates, type Noun, nouns, replay, type States, type Step } from './replay.ts';

interface Inventory {
  readonly total: number;
  readonly reserved: number;
  readonly minUnit: number;
  readonly maxUnit: number;
  readonly stepSize: number;
  readonly allocationRatio: number;
}

export function checkLedger(events: readonly LedgerEvent[], tables: Tables): Violation[] {
  const violations: Violation[] = [];
  const say = (anomaly: string, text: string) => void violations.push({ anomaly, text });
  const states = emptyStates();
  const used = new Map<string, number>();
  for (const step of replay(events, states)) {
    const { event, was } = step;
    for (const noun of nouns) {
      for (const [uuid, change] of Object.entries(event.changes[noun] ?? {})) checkStep(noun, uuid, was(noun, uuid), change, event.id, say);
    }
    checkRoom(event, growthOf(step), used, states, say);
  }
  for (const noun of nouns) {
    for (const uuid of new Set([...states[noun].keys(), ...tables[noun].keys()])) {
      const [replayed, row] = [states[noun].get(uuid), tables[noun].get(uuid)].map((state) => canonical(withoutNull(state)));
      if (replayed !== row) say('tables differ from events', `${noun} ${uuid}: the events say ${replayed}, the tables ${row}`);
    }
  }
  return violations;
}

/** In its event, a consumer that was confirmed has an expiry of null, and one that left its reservation a reservation of null. */
const withoutNull = ({ expiresAt, reservation, ...state }: State = {}): State => ({
  ...state,
  ...(expiresAt ? { expiresAt } : {}),
  ...(reservation ? { reservation } : {}),
});

/** An event begins where the subject's last one ended, and raises its generation. */
function checkStep(noun: Noun, uuid: string, known: State | null, { before, after }: Change, id: number, say: Say): void {
  const begins =
    known === null || before === null
      ? known === before
      : Object.entries(before).every(([part, value]) => canonical(known[part] ?? null) === canonical(value));
  if (!begins) say('broken chain', `event ${id} does not begin where ${noun} ${uuid} was: ${canonical([known, before])}`);
  if (after === null || (noun !== 'consumers' && noun !== 'reservations')) return;
  const [from, to] = [Number(before?.generation ?? 0), Number(after.generation)];
  if (to !== from + 1) say('generation gap', `event ${id} takes ${noun} ${uuid} from ${from} to ${to}`);
}

/** By how much each inventory is used more after an event. */
function growthOf({ event, was, states }: Step): Map<string, number> {
  const growth = new Map<string, number>();
  const add = (state: State | null, sign: number) => {
    for (const [inventory, amount] of Object.entries(heldIn(state))) growth.set(inventory, (growth.get(inventory) ?? 0) + sign * amount);
  };
  for (const uuid of Object.keys(event.changes.consumers ?? {})) {
    add(was('consumers', uuid), -1);
    add(states.consumers.get(uuid) ?? null, 1);
  }
  return growth;
}

function checkRoom(event: LedgerEvent, growth: ReadonlyMap<string, number>, used: Map<string, number>, states: States, say: Say): void {
  for (const [key, more] of growth) {
    const now = (used.get(key) ?? 0) + more;
    used.set(key, now);
    if (more <= 0) continue;
    const inventory = inventoryIn(states, key);
    if (!inventory) say('no inventory', `event ${event.id} allocates ${more} of ${key}`);
    else if (now > capacityOf(inventory))
      say('capacity exceeded', `event ${event.id}: ${now} of ${capacityOf(inventory)} of ${key} are used`);
  }
  for (const [uuid, { after }] of Object.entries(event.changes.consumers ?? {})) {
    for (const [key, amount] of Object.entries(heldIn(after))) {
      const inventory = inventoryIn(states, key);
      if (!inventory || !(growth.get(key) ?? 0)) continue;
      const { minUnit, maxUnit, stepSize } = inventory;
      if (amount < minUnit || amount > maxUnit || amount % stepSize !== 0)
        say('unit violated', `event ${event.id}: ${uuid} holds ${amount} of ${key}`);
    }
  }
}

/** The inventory of a provider and class: `<uuid>/VCPU`. */
export function inventoryIn({ providers }: States, key: string): Inventory | undefined {
  const [provider = '', resourceClass = ''] = key.split('/');
  return (providers.get(provider)?.inventories as Readonly<Record<string, Inventory>> | undefined)?.[resourceClass];
}

export const capacityOf = ({ total, reserved, allocationRatio }: Inventory) => Math.trunc((total - reserved) * allocationRatio);
