// Whether time is obeyed, by the clock of the database: consumers are released once they have expired, not before, and not after they were confirmed; what
// reservations keep has room at every moment; what is claimed from one is covered by it, and ends with it. Uses only the rows of events.
import { capacityOf, inventoryIn } from './check-ledger.ts';
import { heldIn, type LedgerEvent, type Say, type State, type Violation } from './history.ts';
import { replay, type Step } from './replay.ts';

export function checkTime(events: readonly LedgerEvent[]): Violation[] {
  const violations: Violation[] = [];
  for (const step of replay(events)) {
    const say = (anomaly: string, text: string) =>
      void violations.push({ anomaly, text: `event ${step.event.id} at ${step.event.at}: ${text}` });
    checkEnds(step, say);
    checkClaims(step, say);
    checkCover(step, say);
    // Disks that a pool takes over are there already.
    if (step.event.kind !== 'RESHAPE') checkPromises(step, say);
  }
  return violations;
}

/** A moment, or null if it never comes. */
const momentIn = (state: State | null | undefined, part: string) => (state?.[part] ?? null) as string | null;
const hasEnded = (end: string | null, moment: string) => end !== null && end <= moment;

function checkEnds({ event: { kind, at, changes }, was, states }: Step, say: Say): void {
  for (const uuid of Object.keys(kind === 'RELEASE_EXPIRED' ? (changes.consumers ?? {}) : {})) {
    const end = momentIn(was('consumers', uuid), 'expiresAt');
    if (end === null) say('released though it lasts', uuid);
    else if (!hasEnded(end, at)) say('released too early', `${uuid} expires at ${end}`);
  }
  for (const [uuid, { after }] of Object.entries(changes.reservations ?? {})) {
    if (after !== null) continue;
    const end = momentIn(was('reservations', uuid), 'endsAt');
    if (kind === 'END_RESERVATIONS' && !hasEnded(end, at)) say('ended too early', `${uuid} ends at ${end}`);
    if ([...states.consumers.values()].some(({ reservation }) => reservation === uuid)) say('gone while in use', uuid);
  }
}

/** A consumer claims from a reservation of its own project while that runs, and expires no later. */
function checkClaims({ event: { at, changes }, was, states }: Step, say: Say): void {
  for (const uuid of Object.keys(changes.consumers ?? {})) {
    const consumer = states.consumers.get(uuid);
    if (!consumer?.reservation) continue;
    const reservation = states.reservations.get(String(consumer.reservation));
    const [starts, ends] = [momentIn(reservation, 'startsAt') ?? '', momentIn(reservation, 'endsAt') ?? ''];
    const isNew = was('consumers', uuid)?.reservation !== consumer.reservation;
    if (isNew && !(starts <= at && at < ends)) say('claimed out of time', `${uuid} claims from what runs from ${starts} to ${ends}`);
    if (reservation?.project !== consumer.project)
      say('claimed by others', `${uuid} of ${consumer.project} claims what is kept for ${reservation?.project}`);
    if (!hasEnded(momentIn(consumer, 'expiresAt'), ends))
      say('outlives its reservation', `${uuid} expires at ${consumer.expiresAt}, and that at ${ends}`);
  }
}

/** No write makes the claims on a reservation exceed what it keeps. */
function checkCover({ event: { changes }, was, states }: Step, say: Say): void {
  const touched = new Set(Object.keys(changes.reservations ?? {}));
  const growth = new Map<string, number>();
  const add = (consumer: State | null | undefined, sign: number) => {
    if (!consumer?.reservation) return;
    touched.add(String(consumer.reservation));
    for (const [key, amount] of Object.entries(heldIn(consumer))) {
      const name = `${consumer.reservation} ${key}`;
      growth.set(name, (growth.get(name) ?? 0) + sign * amount);
    }
  };
  for (const uuid of Object.keys(changes.consumers ?? {})) {
    add(was('consumers', uuid), -1);
    add(states.consumers.get(uuid), 1);
  }
  for (const uuid of touched) {
    const claimed = new Map<string, number>();
    for (const consumer of states.consumers.values()) {
      if (consumer.reservation !== uuid) continue;
      for (const [key, amount] of Object.entries(heldIn(consumer))) claimed.set(key, (claimed.get(key) ?? 0) + amount);
    }
    for (const [key, amount] of claimed) {
      const kept = keptIn(states.reservations.get(uuid), key);
      if (amount > kept && (changes.reservations?.[uuid] || (growth.get(`${uuid} ${key}`) ?? 0) > 0))
        say('claimed beyond a reservation', `${amount} of ${kept} of ${key} that ${uuid} keeps`);
    }
  }
}

function keptIn(reservation: State | null | undefined, key: string): number {
  const [provider = '', resourceClass = ''] = key.split('/');
  return (reservation?.amounts as Readonly<Record<string, Readonly<Record<string, number>>>> | null)?.[provider]?.[resourceClass] ?? 0;
}

/** What holds an inventory for a time: what is claimed from a reservation is a part of that. */
interface Holding {
  readonly amount: number;
  readonly from: string | null;
  readonly until: string | null;
}

/** No write lets an inventory with reservations be overcommitted at any moment. */
function checkPromises(step: Step, say: Say): void {
  const { event, was, states } = step;
  const reservationsNow = [...states.reservations];
  const changedReservations = Object.keys(event.changes.reservations ?? {});
  if (reservationsNow.length + changedReservations.length === 0) return;
  const touched = new Set<string>();
  for (const uuid of Object.keys(event.changes.consumers ?? {})) {
    for (const state of [was('consumers', uuid), states.consumers.get(uuid) ?? null])
      for (const key of Object.keys(heldIn(state))) touched.add(key);
  }
  for (const uuid of changedReservations) for (const key of keysOf(states.reservations.get(uuid))) touched.add(key);
  let sides: readonly [Holders, Holders] | undefined;
  for (const key of touched) {
    const isReserved = (reservation: State | null | undefined) => keptIn(reservation, key) > 0;
    if (![...states.reservations.values(), ...changedReservations.map((uuid) => was('reservations', uuid))].some(isReserved)) continue;
    const inventory = inventoryIn(states, key);
    if (!inventory) continue;
    sides ??= [statesBefore(step), states];
    const [before, after] = sides.map((side) => holdingsOf(key, side)) as [Holding[], Holding[]];
    const moments = [...before, ...after]
      .flatMap(({ from, until }) => [from, until])
      .filter((moment) => moment !== null && moment > event.at);
    for (const moment of [event.at, ...(moments as string[])].sort()) {
      const [was, is] = [before, after].map((holdings) => loadAt(moment, holdings)) as [number, number];
      if (is <= was || is <= capacityOf(inventory)) continue;
      say('promise broken', `at ${moment}, ${is} of ${capacityOf(inventory)} of ${key} are held or kept`);
      break;
    }
  }
}

const keysOf = (reservation: State | undefined) =>
  Object.entries((reservation?.amounts ?? {}) as Readonly<Record<string, object>>).flatMap(([provider, amounts]) =>
    Object.keys(amounts).map((resourceClass) => `${provider}/${resourceClass}`),
  );

type Holders = Readonly<Record<'reservations' | 'consumers', ReadonlyMap<string, State | null>>>;

function statesBefore({ event: { changes }, was, states }: Step): Holders {
  const before = (noun: keyof Holders) =>
    new Map<string, State | null>([...states[noun], ...Object.keys(changes[noun] ?? {}).map((uuid) => [uuid, was(noun, uuid)] as const)]);
  return { reservations: before('reservations'), consumers: before('consumers') };
}

function holdingsOf(key: string, { reservations, consumers }: Holders): Holding[] {
  const kept = [...reservations.values()].map((state) => ({
    ...{ amount: keptIn(state, key), from: momentIn(state, 'startsAt'), until: momentIn(state, 'endsAt') },
  }));
  const held = [...consumers.values()].flatMap((state) => {
    const amount = heldIn(state)[key] ?? 0;
    const isCovered = amount > 0 && state?.reservation && keptIn(reservations.get(String(state.reservation)), key) > 0;
    return amount === 0 || isCovered ? [] : [{ amount, from: null, until: momentIn(state, 'expiresAt') }];
  });
  return [...kept.filter(({ amount }) => amount > 0), ...held];
}

const loadAt = (moment: string, holdings: readonly Holding[]) =>
  holdings.reduce((sum, { amount, from, until }) => sum + ((from === null || from <= moment) && !hasEnded(until, moment) ? amount : 0), 0);
