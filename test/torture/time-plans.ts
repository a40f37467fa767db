// The operations in which time counts: consumers that are extended or confirmed, reservations and claims from them; and the quotas that bound them all.
import type { Dice } from '../support/dice.ts';
import {
  allocationsInput,
  expectation,
  expectInput,
  expiryAtRandom,
  momentIn,
  mutation,
  type Plan,
  type Planner,
} from './allocation-plans.ts';
import { type Cloud, type Place, pick, type Slot } from './cloud.ts';
import type { Held } from './history.ts';

const hour = 3_600_000;
const shown = 'consumers { uuid generation } resourceProviders { uuid generation }';
/** Mostly of those that are there. */
const known = <Thing extends Pick<Place, 'generation'>>(roll: Dice, all: readonly Thing[]): readonly Thing[] => {
  const there = all.filter(({ generation }) => generation !== null);
  return roll(5) === 0 || there.length === 0 ? all : there;
};
const shownReservation = 'reservation { uuid generation amounts { resourceProvider { uuid } resourceClassName amount } }';
const some = <Value>(roll: Dice, values: readonly Value[]) => values.filter(() => roll(2) === 0);

/** What a reservation keeps: chosen amounts, instances, or a whole host. */
function holdAtRandom(roll: Dice, cloud: Cloud): object {
  const kind = roll(8);
  if (kind === 0) return { hosts: [pick(roll, cloud.steady)] };
  const resources = [{ resourceClass: 'VCPU', amount: 1 + roll(2) }];
  if (kind < 3) return { instances: { count: 1 + roll(3), request: { groups: { resources } } } };
  const held: Record<string, number> = {};
  for (let count = 1 + roll(2); count > 0; count -= 1) {
    const provider = pick(roll, roll(4) === 0 ? cloud.changing : cloud.steady);
    held[`${provider}/VCPU`] = 1 + roll(5);
    if (roll(3) === 0) held[`${provider}/MEMORY_MB`] = 1 + roll(16);
  }
  return { allocations: allocationsInput(held) };
}

/** Some begin at once, some in a moment, and few much later. */
function periodAtRandom(roll: Dice): { readonly startsAt: string; readonly endsAt: string } {
  const begins = roll(12) === 0 ? hour : pick(roll, [0, 0, 0, 1000 + roll(4000)]);
  return {
    startsAt: momentIn(begins),
    endsAt: momentIn(begins + pick(roll, [1000 + roll(2000), 1000 + roll(10_000), 5000 + roll(20_000), hour])),
  };
}

/** A part of what a reservation keeps, or, if one does not know that, of any provider. */
function partOf({ held }: Slot, roll: Dice, cloud: Cloud): Held {
  const kept = Object.entries(held);
  if (kept.length === 0) return { [`${pick(roll, cloud.steady)}/VCPU`]: 1 + roll(2) };
  return Object.fromEntries([pick(roll, kept)].map(([key, amount]) => [key, 1 + roll(Math.min(amount, 3))]));
}

function claimer(roll: Dice, cloud: Cloud) {
  const [place] = cloud.choosePlaces(roll, 1) as [Place];
  const slot = pick(roll, known(roll, cloud.slots));
  const expected = expectation(place, roll);
  const owner = { project: roll(10) === 0 ? `project ${roll(3)}` : slot.project, user: `user ${roll(3)}`, consumerType: 'INSTANCE' };
  // Others claim from it soon again.
  const expiring = roll(3) > 0 ? { expiry: { afterSeconds: 1 + roll(3) } } : {};
  place.mayExpire = true;
  const consumer = { consumer: place.uuid, expect: expectInput(expected), reservation: slot.uuid, ...owner, ...expiring };
  return { slot, place, consumer, intent: { places: [place], alwaysWrites: true, expected: [expected] } };
}

const isMissing = ({ generation }: Slot, roll: Dice) => generation === null && roll(5) > 0;

function replaceReservation(slot: Slot, roll: Dice, cloud: Cloud): Plan {
  const expected = { ...expectation(slot, roll), subject: 'reservation' } as const;
  const { startsAt, endsAt } = periodAtRandom(roll);
  const isNew = expected.generation === null;
  const input = {
    ...{ reservation: slot.uuid, expect: expectInput(expected) },
    ...(isNew && { project: slot.project }),
    ...((isNew || roll(4) === 0) && { startsAt }),
    ...((isNew || roll(4) > 0) && { endsAt }),
    ...((isNew || roll(2) === 0) && { hold: holdAtRandom(roll, cloud) }),
  };
  return mutation('replaceReservation', input, shownReservation, { alwaysWrites: true, expected: [expected] });
}

const quotasAtRandom = (roll: Dice, cloud: Cloud) =>
  some(roll, [
    { resourceClass: 'VCPU', amount: 4 + roll(20) },
    { resourceClass: 'VCPU', consumerType: 'MIGRATION', amount: 2 + roll(8) },
    { resourceClass: 'VCPU', aggregate: pick(roll, cloud.aggregates), amount: 2 + roll(10) },
    { consumerType: 'INSTANCE', amount: 2 + roll(6) },
    { consumerType: 'INSTANCE', aggregate: pick(roll, cloud.aggregates), amount: 1 + roll(4) },
    { resourceClass: 'MEMORY_MB', consumerType: 'INSTANCE', amount: roll(3) === 0 ? null : 8 + roll(40) },
  ]);

export const timePlans: Readonly<Record<string, Planner>> = {
  setExpiry: (roll, cloud) => {
    const places = known(roll, cloud.places);
    const rows = [...new Set([pick(roll, places), pick(roll, places)])].map((place) => {
      const expected = expectation(place, roll);
      const lasts = roll(3) === 0;
      place.mayExpire = true;
      return { place, expected, isGuarded: expected.generation !== null, lasts, expiry: lasts ? { never: true } : expiryAtRandom(roll) };
    });
    const consumers = rows.map(({ place: { uuid }, expected, isGuarded, expiry }) => ({
      ...{ consumer: uuid, expect: isGuarded ? expectInput(expected) : { unchecked: true }, expiry },
    }));
    return mutation('setExpiry', { consumers }, 'consumers { uuid generation }', {
      places: rows.map(({ place }) => place),
      alwaysWrites: true,
      expected: rows.flatMap(({ expected, isGuarded }) => (isGuarded ? [expected] : [])),
      lasting: rows.flatMap(({ place, lasts }) => (lasts ? [place.uuid] : [])),
    });
  },
  'claim from a reservation': (roll, cloud) => {
    const { slot, consumer, intent } = claimer(roll, cloud);
    if (isMissing(slot, roll)) return replaceReservation(slot, roll, cloud);
    const request = { groups: { resources: { resourceClass: 'VCPU', amount: 1 + roll(2) } } };
    return mutation('claim', { consumers: consumer, request }, 'claims { consumer { uuid generation } }', intent);
  },
  'replaceAllocations from a reservation': (roll, cloud) => {
    const { slot, place, consumer, intent } = claimer(roll, cloud);
    if (isMissing(slot, roll)) return replaceReservation(slot, roll, cloud);
    const held = partOf(slot, roll, cloud);
    const consumers = { ...consumer, hold: { allocations: allocationsInput(held) } };
    return mutation('replaceAllocations', { consumers }, shown, { ...intent, wanted: { [place.uuid]: held } });
  },
  replaceReservation: (roll, cloud) => replaceReservation(pick(roll, cloud.slots), roll, cloud),
  releaseReservation: (roll, cloud) => {
    const forgotten = roll(3) === 0 ? cloud.forgotten.reservations.shift() : undefined;
    const slot = pick(roll, known(roll, cloud.slots));
    if (forgotten === undefined && isMissing(slot, roll)) return replaceReservation(slot, roll, cloud);
    const { uuid, generation } = forgotten === undefined ? slot : { uuid: forgotten, generation: null };
    const expect = generation === null ? { unchecked: true } : { generation };
    return mutation('releaseReservation', { reservation: uuid, expect }, 'releasedUuid', {
      alwaysWrites: true,
      ...(generation !== null && { expected: [{ subject: 'reservation', uuid, generation }] }),
    });
  },
  replaceQuotas: (roll, cloud) => {
    const project = pick(roll, [null, 'project 0', 'project 1', 'project 2']);
    const quotas = roll(3) === 0 ? [] : quotasAtRandom(roll, cloud);
    const owner = project === null ? {} : { project, ...(project === 'project 2' && roll(2) === 0 && { parentProject: 'project 0' }) };
    return mutation('replaceQuotas', { expect: { unchecked: true }, ...owner, quotas }, '');
  },
};

/** Many consumers that expire at one moment. */
export function crowdOf(roll: Dice, cloud: Cloud, uuids: readonly string[], at: string): Plan {
  const provider = pick(roll, cloud.wide);
  const owner = { project: `crowd ${roll(1000)}`, user: 'user 1', consumerType: 'CROWD' };
  const hold = { allocations: allocationsInput({ [`${provider}/MEMORY_MB`]: 1 }) };
  const consumers = uuids.map((consumer) => ({ consumer, expect: { isNew: true }, hold, expiry: { at }, ...owner }));
  const wanted = Object.fromEntries(uuids.map((uuid) => [uuid, { [`${provider}/MEMORY_MB`]: 1 }]));
  return mutation('replaceAllocations', { consumers }, '', { alwaysWrites: true, wanted });
}

/** What a holder sends who is nearly late. */
export const confirmationOf = (uuids: readonly string[]): Plan =>
  mutation('setExpiry', { consumers: uuids.map((consumer) => ({ consumer, expect: { unchecked: true }, expiry: { never: true } })) }, '', {
    alwaysWrites: true,
    lasting: uuids,
  });
