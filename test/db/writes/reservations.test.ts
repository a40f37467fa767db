// Reservations against a model that looks at every hour: what is admitted, what is promised, and what a claim that lasts, expires or draws from one may take, within
// a quota.
import { expect, test } from 'vitest';
import { findWrongPromises, findWrongQuotas, findWrongUse } from '../../../src/db/audit.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { historiesOf } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const hosts = ['h0', 'h1'];
const horizon = 24;
const pick = <Value>(roll: Dice, values: readonly Value[]) => values[roll(values.length)] as Value;

type Amounts = ReadonlyMap<string, number>;
interface Holder {
  readonly amounts: Amounts;
  /** The hour of its expiry; Infinity if it lasts. */
  readonly until: number;
  readonly from: string | null;
}
interface Kept {
  readonly amounts: Amounts;
  readonly start: number;
  readonly end: number;
}

/** The state of the ledger in hours since the test began. Hours pass between the writes; what happens at an hour has happened before the writes of that hour. */
class Model {
  now = 0;
  /** Of the project that claims. */
  quota = Number.POSITIVE_INFINITY;
  readonly capacity = new Map(hosts.map((host) => [host, 10]));
  readonly consumers = new Map<string, Holder>();
  readonly reservations = new Map<string, Kept>();

  /** What is claimed of a host from a reservation. */
  claimed(name: string, host: string): number {
    return [...this.consumers.values()].reduce((sum, { amounts, from }) => sum + (from === name ? (amounts.get(host) ?? 0) : 0), 0);
  }

  /** What a reservation counts for while it runs: what it keeps of a host, or what is claimed from it if that is more. Undefined if it keeps nothing there. */
  kept(name: string | null, host: string): (Kept & { readonly amount: number; readonly claimed: number }) | undefined {
    const kept = name === null ? undefined : this.reservations.get(name);
    const own = kept?.amounts.get(host);
    if (name === null || !kept || own === undefined) return undefined;
    const claimed = this.claimed(name, host);
    return { ...kept, amount: Math.max(own, claimed), claimed };
  }

  private allKept(host: string) {
    return [...this.reservations.keys()].map((name) => this.kept(name, host)).filter((kept) => kept !== undefined);
  }

  /** What is held of a host from now on: what is there now, released or not, then at each hour, the present one included. */
  loads(host: string): number[] {
    return Array.from({ length: horizon }, (_, place) => {
      const ahead = place - 1;
      const hour = this.now + Math.max(ahead, 0);
      let load = 0;
      for (const { amounts, until, from } of this.consumers.values()) {
        const kept = this.kept(from, host);
        // What is claimed from a reservation is a part of that while it runs, and goes with it.
        const isThere = ahead < 0 || (hour < until && (kept === undefined || hour < kept.start));
        if (isThere && !(kept && kept.start <= hour && hour < kept.end)) load += amounts.get(host) ?? 0;
      }
      for (const { amount, start, end } of this.allKept(host)) if (start <= hour && hour < end) load += amount;
      return load;
    });
  }

  used(host: string): number {
    return [...this.consumers.values()].reduce((sum, { amounts }) => sum + (amounts.get(host) ?? 0), 0);
  }

  /** The most that all reservations count for at once, those that have not begun with what is claimed from them already, less all that is claimed. */
  promised(host: string): number {
    const running = this.allKept(host).filter(({ end }) => end > this.now);
    const peaks = Array.from({ length: horizon }, (_, ahead) => this.now + ahead).map((hour) =>
      running.reduce((sum, { amount, claimed, start, end }) => sum + (hour >= end ? 0 : start <= hour ? amount : claimed), 0),
    );
    return Math.max(0, Math.max(...peaks) - running.reduce((sum, { claimed }) => sum + claimed, 0));
  }

  /**
   * Whether a reservation keeps what is claimed from it, wherever more is claimed or less kept than in a state before. Where it keeps nothing, what is claimed may
   * not last longer either.
   */
  covers(name: string, before: Model): boolean {
    const [is, was] = [this, before].map(({ reservations }) => reservations.get(name));
    return hosts.every((host) => {
      const claimed = this.claimed(name, host);
      const [kept, keptBefore] = [is, was].map((reservation) => reservation?.amounts.get(host) ?? 0) as [number, number];
      const lastsLonger = (is?.end ?? 0) > (was?.end ?? 0);
      return claimed <= kept || !(claimed > before.claimed(name, host) || kept < keptBefore || (kept === 0 && lastsLonger));
    });
  }

  /** Makes a change unless it breaks a rule; returns whether it was made. */
  try(change: (next: Model) => void, checked: readonly string[]): boolean {
    const next = new Model();
    Object.assign(next, { now: this.now, quota: this.quota });
    for (const part of ['capacity', 'consumers', 'reservations'] as const) {
      for (const [key, value] of this[part]) (next[part] as Map<string, unknown>).set(key, value);
    }
    change(next);
    const isWithin = hosts.every((host) => {
      const [before, after, capacity] = [this.loads(host), next.loads(host), next.capacity.get(host) ?? 0];
      const rises = (was: number, is: number) => is > was && is > capacity;
      // Where nothing is reserved, only what is used counts: there a consumer may stay although the host has been made smaller.
      const looksAhead = [this, next].some((model) => [...model.reservations.values()].some(({ amounts }) => amounts.has(host)));
      return !(looksAhead && after.some((load, hour) => rises(before[hour] ?? 0, load))) && !rises(this.used(host), next.used(host));
    });
    const [before, after] = [this, next].map((model) => hosts.reduce((sum, host) => sum + model.used(host), 0)) as [number, number];
    if (after > before && after > this.quota) return false;
    if (!isWithin || !checked.every((name) => next.covers(name, this))) return false;
    for (const part of ['capacity', 'consumers', 'reservations'] as const) {
      (this[part] as Map<string, unknown>).clear();
      for (const [key, value] of next[part]) (this[part] as Map<string, unknown>).set(key, value);
    }
    return true;
  }
}

/** Half an hour ahead of the hours of the model, so that the seconds of the test decide nothing. */
const momentOf = (model: Model, began: number, hour: number) => new Date(began + (hour - model.now - 0.5) * 3_600_000).toISOString();

async function history({ own, db }: TestDatabase, roll: Dice, steps: number, hasImports = false): Promise<string[]> {
  const seed = createSeed(db);
  for (const host of hosts) await seed.provider(host, { inventories: { VCPU: 10 } });
  const model = new Model();
  const log: string[] = [];
  const amountsOf = (most: number) => new Map(hosts.filter(() => roll(3) > 0).map((host) => [host, 1 + roll(most)]));
  const rowsOf = (amounts: Amounts) => [...amounts].map(([host, amount]) => ({ provider: uuidOf(host), resourceClass: 'VCPU', amount }));
  const attempt = async (operation: string, request: Record<string, unknown>): Promise<string | null> => {
    try {
      await seed.write(operation, request);
      return null;
    } catch (error) {
      const code = /"code":"(\w+)"/.exec(String(error))?.[1];
      if (code === undefined) throw error;
      return code;
    }
  };
  const expectSame = (what: string, refused: string | null, isAdmitted: boolean) => {
    log.push(`${what}: ${refused ?? 'done'}`);
    const faults =
      (refused === null) === isAdmitted
        ? []
        : [`${what}: the ledger says ${refused ?? 'done'}, the model ${isAdmitted ? 'done' : 'refused'}`];
    return faults;
  };
  const began = Date.now();
  const at = (hour: number) => momentOf(model, began, hour);
  const faults: string[] = [];
  for (let step = 0; step < steps && faults.length === 0; step++) {
    const name = `c${roll(5)}`;
    const known = model.consumers.get(name);
    const which = roll(hasImports ? 16 : 13);
    /** A claim: anew, or of other amounts, for a time or from a reservation. */
    const claimOf = (name: string) => {
      const known = model.consumers.get(name);
      const amounts = amountsOf(6);
      const isReleased = amounts.size === 0;
      const running = [...model.reservations].filter(([, { start, end }]) => start <= model.now && model.now < end).map(([own]) => own);
      const from = roll(2) === 0 && !isReleased ? pick(roll, running.length > 0 ? running : ['r0', 'r1', 'r2']) : null;
      const hours = roll(2) === 0 && !isReleased ? 1 + roll(8) : null;
      const consumer = {
        uuid: uuidOf(name),
        expect: {},
        project: 'p1',
        user: 'u1',
        type: 'INSTANCE',
        keepType: false,
        allocations: rowsOf(amounts),
      };
      const expiry = hours === null ? {} : { expiresAt: at(model.now + hours + 1) };
      const reservation = from ?? known?.from ?? null;
      const kept = reservation === null ? null : (model.reservations.get(reservation) ?? null);
      const mayName =
        isReleased || from === null || (kept !== null && (from === known?.from || (kept.start <= model.now && model.now < kept.end)));
      const until = Math.min(
        hours === null ? (known?.until ?? Infinity) : model.now + hours + 1,
        isReleased ? Infinity : (kept?.end ?? Infinity),
      );
      const make = (next: Model) => {
        if (isReleased) next.consumers.delete(name);
        else next.consumers.set(name, { amounts, until, from: reservation });
      };
      return {
        asked: { ...consumer, ...expiry, ...(from && { reservation: uuidOf(from) }) },
        ...{ what: `${name} claims ${JSON.stringify([...amounts])} until ${until} from ${reservation}`, reservation, mayName, make },
      };
    };
    if (which < 4) {
      const claims = [...new Set([name, ...(roll(3) === 0 ? [`c${roll(5)}`] : [])])].map(claimOf);
      const refused = await attempt('replace_allocations', { consumers: claims.map(({ asked }) => asked), hasQuotas: true });
      const isAdmitted =
        claims.every(({ mayName }) => mayName) &&
        model.try(
          (next) => {
            for (const { make } of claims) make(next);
          },
          claims.flatMap(({ reservation }) => reservation ?? []),
        );
      faults.push(...expectSame(claims.map(({ what }) => what).join(', '), refused, isAdmitted));
    } else if (which === 4 && known) {
      const hours = roll(3) === 0 ? null : 1 + roll(8);
      const kept = known.from === null ? null : model.reservations.get(known.from);
      const until = Math.min(hours === null ? Infinity : model.now + hours + 1, kept?.end ?? Infinity);
      const expiry = { expiresAt: hours === null ? null : at(model.now + hours + 1) };
      const refused = await attempt('set_expiry', { consumers: [{ uuid: uuidOf(name), expect: {}, allocations: [], ...expiry }] });
      const isAdmitted = model.try((next) => next.consumers.set(name, { ...known, until }), []);
      faults.push(...expectSame(`${name} expires at ${until}`, refused, isAdmitted));
    } else if (which < 8) {
      const reservation = `r${roll(3)}`;
      const old = model.reservations.get(reservation);
      const isClaimed = [...model.consumers.values()].some(({ from }) => from === reservation);
      let start = model.now + pick(roll, [0, 0, 1, 2, 3, 5]);
      const end = start + 1 + roll(6);
      if (start <= model.now && old && old.start <= model.now) start = old.start;
      const amounts = amountsOf(8);
      if (amounts.size === 0) continue;
      // To keep what consumers hold that it does not cover yet, more room is asked for than that takes.
      if (
        old &&
        isClaimed &&
        (old.start > model.now || hosts.some((host) => model.claimed(reservation, host) > 0 && !old.amounts.has(host) && amounts.has(host)))
      )
        continue;
      const wanted = { uuid: uuidOf(reservation), project: 'p1', startsAt: at(start), endsAt: at(end), amounts: rowsOf(amounts) };
      const refused = await attempt('replace_reservation', { reservation: wanted, expect: {}, most: 1000 });
      const isAdmitted =
        !(start > model.now && isClaimed) &&
        end > model.now &&
        model.try(
          (next) => {
            next.reservations.set(reservation, { amounts, start, end });
            for (const [holder, held] of next.consumers) {
              if (held.from === reservation && old && (held.until === old.end || held.until > end))
                next.consumers.set(holder, { ...held, until: end });
            }
          },
          [reservation],
        );
      faults.push(...expectSame(`${reservation} keeps ${JSON.stringify([...amounts])} from ${start} to ${end}`, refused, isAdmitted));
    } else if (which === 8) {
      const reservation = `r${roll(3)}`;
      const isClaimed = [...model.consumers.values()].some(({ from }) => from === reservation);
      const isAdmitted = model.reservations.has(reservation) && !isClaimed;
      const refused = await attempt('release_reservation', { reservation: uuidOf(reservation), expect: {} });
      if (isAdmitted) model.reservations.delete(reservation);
      faults.push(...expectSame(`${reservation} is given up`, refused, isAdmitted));
    } else if (which === 9) {
      const [host, total] = [pick(roll, hosts), 6 + roll(8)];
      await seed.write('patch_inventories', { providers: [uuidOf(host)], resourceClass: 'VCPU', patch: { total }, dryRun: false });
      model.capacity.set(host, total);
      log.push(`${host} has ${total}`);
    } else if (which === 10) {
      const amount = roll(3) === 0 ? null : 4 + roll(14);
      const body = { parent: null, quotas: [{ user: null, consumerType: null, resourceClass: 'VCPU', amount }] };
      await seed.write('replace_quotas', { record: { kind: 'project_quotas', name: 'p1', uuid: uuidOf('quotas'), body }, expect: {} });
      model.quota = amount ?? Number.POSITIVE_INFINITY;
      log.push(`the project may have ${model.quota}`);
    } else if (which >= 13) {
      // Another Placement has decided, and knows no reservations.
      const amounts = amountsOf(8);
      if (amounts.size === 0) continue;
      const from = pick(roll, [null, ...model.reservations.keys()]);
      const reservation = from ?? known?.from ?? null;
      const hours = roll(2) === 0 ? 1 + roll(8) : null;
      const until = Math.min(
        hours === null ? (known?.until ?? Infinity) : model.now + hours + 1,
        reservation === null ? Infinity : (model.reservations.get(reservation)?.end ?? Infinity),
      );
      const imported = { uuid: uuidOf(name), expect: {}, generation: 1000 + step, project: 'p1', user: 'u1', type: 'INSTANCE' };
      await seed.write('import_consumers', {
        consumers: [
          {
            ...{ ...imported, allocations: rowsOf(amounts) },
            ...(hours !== null && { expiresAt: at(model.now + hours + 1) }),
            ...(from !== null && { reservation: uuidOf(from) }),
          },
        ],
      });
      model.consumers.set(name, { amounts, until, from: reservation });
      log.push(`${name} is imported with ${JSON.stringify([...amounts])} until ${until} from ${reservation}`);
    } else {
      // Time passes.
      const hours = 1 + roll(2);
      model.now += hours;
      const gone = `${hours} hours`;
      await own`update consumers set expires_at = expires_at - ${gone}::interval where expires_at is not null`;
      await own`update reservations set starts_at = starts_at - ${gone}::interval, ends_at = ends_at - ${gone}::interval`;
      log.push(`${gone} pass`);
      if (roll(4) > 0) {
        await seed.write('release_expired', { most: 100, skip: 0 });
        await seed.write('end_reservations', { most: 100 });
        for (const [holder, { until }] of model.consumers) if (until <= model.now) model.consumers.delete(holder);
        for (const [reservation, { end }] of model.reservations) if (end <= model.now) model.reservations.delete(reservation);
      }
    }
    for (const host of hosts) {
      const [row] = await own<{ used: number; promised: number }[]>`
        select used::int, promised::int from inventories i join resource_providers p on p.id = i.resource_provider_id where p.name = ${host}`;
      const isEnding = [...model.reservations.values()].some(({ end, amounts }) => end <= model.now && amounts.has(host));
      const due = { used: model.used(host), promised: isEnding ? row?.promised : model.promised(host) };
      if (JSON.stringify(row) !== JSON.stringify(due)) faults.push(`${host} is ${JSON.stringify(row)}, not ${JSON.stringify(due)}`);
    }
  }
  const audited = await Promise.all([findWrongPromises(db), findWrongUse(db), findWrongQuotas(db)]);
  faults.push(...audited.flatMap(({ examples }) => examples));
  return faults.length === 0 ? [] : [...log.slice(-40), ...faults];
}

test.each(historiesOf(100))(
  'history %i is decided as by a model that looks at every hour, and what is promised is what the reservations keep',
  async (nth) => {
    const database = await createTestDatabase();
    try {
      expect(await history(database, freshDice(`reservations ${nth}`), 60)).toEqual([]);
    } finally {
      await database.drop();
    }
  },
);

test.each(historiesOf(100))(
  'history %i with imports, which may hold more than their reservations keep, is decided as by a model that counts these as keeping as much',
  async (nth) => {
    const database = await createTestDatabase();
    try {
      expect(await history(database, freshDice(`imports beside reservations ${nth}`), 60, true)).toEqual([]);
    } finally {
      await database.drop();
    }
  },
);

test('ended reservations and expired consumers are removed together as long as they have few amounts, and large ones one after another', async () => {
  const database = await createTestDatabase();
  const seed = createSeed(database.db);
  const classes = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'PCPU', 'VGPU', 'PGPU', 'NUMA_CORE', 'NUMA_SOCKET', 'NUMA_THREAD', 'SRIOV_NET_VF'];
  const some = Object.fromEntries(classes.map((name) => [name, 1]));
  const names = Array.from({ length: 70 }, (_, index) => `host ${index}`);
  const inventories = Object.fromEntries(classes.map((name) => [name, 100]));
  await Promise.all(names.map((name) => seed.provider(name, { inventories })));
  const period = { startsAt: '2098-01-01T00:00:00Z', endsAt: '2098-02-01T00:00:00Z' };
  for (const name of ['large 1', 'large 2', 'large 3'])
    await seed.reservation(name, Object.fromEntries(names.map((host) => [host, some])), period);
  await seed.reservation('small', { 'host 0': { VCPU: 1 } }, period);
  const ended = async () => (await seed.write('end_reservations', { most: 20, until: '2099-01-01T00:00:00Z' })).ended;
  expect([await ended(), await ended(), await ended()]).toEqual([2, 2, 0]);
  const holding = { project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false, expect: { isNew: true }, expiresIn: 3600 };
  const allocations = names.flatMap((host) => classes.map((resourceClass) => ({ provider: uuidOf(host), resourceClass, amount: 1 })));
  const consumers = ['large 1', 'large 2', 'large 3'].map((name) => ({ ...holding, uuid: uuidOf(name), allocations }));
  for (const consumer of consumers) await seed.write('replace_allocations', { consumers: [consumer] });
  const released = async () => (await seed.write('release_expired', { most: 100, skip: 0, until: '2099-01-01T00:00:00Z' })).released;
  expect([await released(), await released(), await released()]).toEqual([2, 1, 0]);
  expect((await findWrongPromises(database.db)).examples).toEqual([]);
  await database.drop();
});
