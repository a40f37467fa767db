// Consumers that expire: when they go, who goes once, and what a claim gets of their room.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { plainIdentity } from '../../../src/domain/identity.ts';
import { limits } from '../../../src/domain/limits.ts';
import { replaceAllocations, setExpiry, tryAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { type ExpiryInput, releaseExpired, withRoomOfExpired } from '../../../src/operations/allocations/expiry.ts';
import { replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { claim } from '../../../src/operations/candidates/claims.ts';
import { findPastConsumer } from '../../../src/operations/ledger/history.ts';
import { Scope } from '../../../src/operations/scope/scope.ts';
import { useDatabase } from '../../support/database.ts';
import { clearSoundLedger, newestEvent, refusalOf, scopeOf } from '../../support/ledger.ts';
import { sampled } from '../../support/profile.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
/** Of a caller whose claims obey quotas. */
const quotasHold = () =>
  new Scope({ db: database.db, identity: plainIdentity('noauth', 'admin', 'admin', ['admin']), requestId: 'req-test', quotasOfRest: true });
const histories = sampled(150);
const isNew = { isNew: true } as const;
const unchecked = { unchecked: true } as const;

const wanted = (
  name: string,
  { vcpu = 1, host = 'h1', project = 'p1', expect: expected = isNew as object, expiry = null as ExpiryInput | null } = {},
) => ({
  ...{ consumer: uuidOf(name), expect: expected, project, user: 'u1', consumerType: 'INSTANCE', expiry },
  hold: { allocations: vcpu === 0 ? [] : [{ resourceProvider: uuidOf(host), resources: [{ resourceClass: 'VCPU', amount: vcpu }] }] },
});
const hold = (...consumers: ReturnType<typeof wanted>[]) => replaceAllocations(scope(), { consumers });
const seek = (name: string, expiry: ExpiryInput | null = null, by = scope()) =>
  claim(by, {
    consumers: [{ consumer: uuidOf(name), expect: isNew, project: 'p1', user: 'u1', consumerType: 'INSTANCE', expiry }],
    request: { groups: [{ resources: [{ resourceClass: 'VCPU', amount: 1 }] }] },
  });
const change = (name: string, expiry: ExpiryInput, expected: object = unchecked) =>
  setExpiry(scope(), { consumers: [{ consumer: uuidOf(name), expect: expected, expiry }] });

/** Lets time pass for all consumers that expire, as a read of another service: no write of ours takes a moment in the past. */
async function pass(seconds: number): Promise<void> {
  const rows = await database.own<object[]>`
    select c.uuid, c.generation, p.external_id as project, u.external_id as "user", t.name as type, c.expires_at - make_interval(secs => ${seconds}) as "expiresAt",
      (select json_agg(json_build_object('provider', r.uuid, 'resourceClass', rc.name, 'amount', a.used)) from allocations a
        join resource_providers r on r.id = a.resource_provider_id join resource_classes rc on rc.id = a.resource_class_id where a.consumer_id = c.id) as allocations
    from consumers c join projects p on p.id = c.project_id join users u on u.id = c.user_id join consumer_types t on t.id = c.consumer_type_id
    where c.expires_at is not null`;
  if (rows.length > 0) await createSeed(database.db).write('import_consumers', { kind: 'IMPORT_CONSUMER', consumers: rows });
}

/** The seconds until each consumer expires, rounded; null for one that lasts. */
async function shown(): Promise<Record<string, number | null>> {
  const rows = await database.own<{ uuid: string; left: number | null }[]>`
    select uuid, round(extract(epoch from expires_at - now()) / 10)::int * 10 as left from consumers`;
  const names = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [uuidOf(name), name]));
  return Object.fromEntries(rows.map(({ uuid, left }) => [names.get(uuid) ?? uuid, left]).sort());
}

beforeAll(async () => {
  const seed = createSeed(database.db);
  for (const host of ['h1', 'h2']) await seed.provider(host, { inventories: { VCPU: 10 } });
});
afterEach(() => clearSoundLedger(database.db));

describe('a consumer', () => {
  test('expires a time after the write, or at a moment; another lasts', async () => {
    const at = new Date(Date.now() + 600_000).toISOString();
    const { consumers } = await hold(wanted('a', { expiry: { afterSeconds: 100 } }), wanted('b', { expiry: { at } }), wanted('c'));
    expect(await shown()).toEqual({ a: 100, b: 600, c: null });
    expect(consumers.map((consumer) => consumer?.expiresAt && new Date(consumer.expiresAt).toISOString())).toEqual([
      expect.any(String),
      at,
      null,
    ]);
    const { changes } = await newestEvent(database.db);
    expect(new Date(String(changes.consumers?.[uuidOf('b')]?.after?.expiresAt)).toISOString()).toBe(at);
    expect(changes.consumers?.[uuidOf('c')]?.after).not.toHaveProperty('expiresAt');
  });

  test('expires as claimed, whether it was written alone or together with others', async () => {
    const seconds = [100, null, 300, 400, null, 600];
    const claims = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => seek(name, seconds[index] ? { afterSeconds: Number(seconds[index]) } : null)),
    );
    expect(await shown()).toEqual({ a: 100, b: null, c: 300, d: 400, e: null, f: 600 });
    const rows = await database.own<{ uuid: string; moment: Date | null }[]>`select uuid, expires_at as moment from consumers`;
    const stored = new Map(rows.map(({ uuid, moment }) => [uuid, moment && new Date(moment).getTime()]));
    for (const {
      claims: [one],
    } of claims) {
      expect(one?.consumer.expiresAt ? new Date(one.consumer.expiresAt).getTime() : null).toBe(stored.get(one?.consumer.uuid ?? ''));
    }
  });

  test('keeps its expiry in writes that do not name it, passes none on, and is confirmed or extended by those that do', async () => {
    await hold(wanted('a', { expiry: { afterSeconds: 100 } }), wanted('b', { expiry: { afterSeconds: 100 } }));
    await hold(wanted('a', { vcpu: 3, expect: { generation: 1 } }), wanted('b', { expect: { generation: 1 }, expiry: { never: true } }));
    expect(await shown()).toEqual({ a: 100, b: null });
    await hold({ ...wanted('c'), hold: { takeFrom: uuidOf('a') } } as never, wanted('a', { vcpu: 0, expect: { generation: 2 } }));
    await hold(wanted('b', { expect: { generation: 2 }, expiry: { afterSeconds: 200 } }));
    expect(await shown()).toEqual({ b: 200, c: null });
  });

  test('is extended and confirmed alone, with its generation', async () => {
    await hold(wanted('a', { vcpu: 3, expiry: { afterSeconds: 100 } }), wanted('b'));
    const { consumers } = await change('a', { afterSeconds: 300 }, { generation: 1 });
    expect(consumers).toMatchObject([{ uuid: uuidOf('a'), generation: 2, expiresAt: expect.any(String), allocations: [{ amount: 3 }] }]);
    expect(await shown()).toEqual({ a: 300, b: null });
    await change('a', { never: true }, { generation: 2 });
    await change('b', { afterSeconds: 100 });
    expect(await shown()).toEqual({ a: null, b: 100 });
    expect(await newestEvent(database.db)).toMatchObject({
      kind: 'SET_EXPIRY',
      changes: { providers: {}, consumers: { [uuidOf('b')]: { before: { generation: 1 }, after: { generation: 2, project: 'p1' } } } },
    });
  });

  test('of a moment in the past is refused, and so is a change of another generation, of a missing one, and after no time', async () => {
    await hold(wanted('a', { expiry: { afterSeconds: 100 } }));
    const past = { at: '2001-02-03T04:05:06Z' };
    const refused = (write: () => Promise<unknown>) => refusalOf(database.db, write);
    expect(await refused(() => hold(wanted('b', { expiry: past })))).toMatchObject([
      { code: 'INVALID_INPUT', path: ['consumers', '0', 'expiry'] },
    ]);
    expect(await refused(() => change('a', past))).toMatchObject([{ code: 'INVALID_INPUT', path: ['consumers', '0', 'expiry'] }]);
    expect(await refused(() => change('a', { never: true }, { generation: 7 }))).toMatchObject([
      { code: 'CONSUMER_CONFLICT', path: ['consumers', '0', 'expect'], details: { actual: 1 } },
    ]);
    expect(await refused(() => change('b', { never: true }))).toMatchObject([{ code: 'NOT_FOUND', path: ['consumers', '0', 'consumer'] }]);
    for (const afterSeconds of [0, -1, 1.5, limits.expiryTime + 1]) {
      expect(await refused(() => change('a', { afterSeconds }))).toMatchObject([
        { code: 'INVALID_INPUT', path: ['consumers', '0', 'expiry', 'afterSeconds'] },
      ]);
    }
    await change('a', { afterSeconds: limits.expiryTime });
  });

  test('has the expiry in its past that it had then', async () => {
    await hold(wanted('a', { expiry: { afterSeconds: 100 } }));
    const moments: string[] = [];
    const mark = async () => {
      const [row] = await database.own<{ at: Date }[]>`select clock_timestamp() as at`;
      moments.push(new Date(row?.at ?? 0).toISOString());
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await mark();
    await change('a', { never: true });
    await mark();
    await change('a', { afterSeconds: 500 });
    const past = await Promise.all(moments.map((at) => findPastConsumer(scope(), { at }, uuidOf('a'))));
    expect(past.map((consumer) => consumer?.expiresAt)).toEqual([expect.any(String), null]);
  });
});

describe('what has expired', () => {
  test('is released with an event, and nothing else is', async () => {
    await hold(wanted('a', { vcpu: 3, expiry: { afterSeconds: 100 } }), wanted('b', { expiry: { afterSeconds: 200 } }), wanted('c'));
    await pass(150);
    expect(await releaseExpired(database.db)).toBe(1);
    expect(await shown()).toEqual({ b: 50, c: null });
    expect(await newestEvent(database.db)).toMatchObject({
      kind: 'RELEASE_EXPIRED',
      user: null,
      changes: {
        consumers: { [uuidOf('a')]: { before: { allocations: [{ amount: 3 }] }, after: null } },
        providers: { [uuidOf('h1')]: {} },
      },
    });
    expect(await releaseExpired(database.db)).toBe(0);
  });

  test('can be extended until it is released', async () => {
    await hold(wanted('a', { expiry: { afterSeconds: 100 } }));
    await pass(150);
    await change('a', { afterSeconds: 100 }, { generation: 1 });
    expect(await releaseExpired(database.db)).toBe(0);
    expect(await shown()).toEqual({ a: 100 });
  });

  test('is released once, by whichever of several gateways', async () => {
    const seed = createSeed(database.db);
    await seed.provider('large', { inventories: { VCPU: 1000 } });
    for (let batch = 0; batch < 5; batch++) {
      await hold(...Array.from({ length: 100 }, (_, n) => wanted(`many ${batch} ${n}`, { host: 'large', expiry: { afterSeconds: 100 } })));
    }
    await pass(200);
    const others = await Promise.all(Array.from({ length: 3 }, () => openDatabase(database.target)));
    const released = await Promise.all([database.db, ...others].flatMap((db: Db) => [releaseExpired(db), releaseExpired(db)]));
    await Promise.all(others.map((db) => db.close()));
    // What gateways that met on the provider have left to each other.
    released.push(await releaseExpired(database.db));
    expect(await shown()).toEqual({});
    const [row] = await database.own<{ consumers: number; names: number }[]>`
      select count(*)::int as consumers, count(distinct name)::int as names
      from events e cross join unnest(e.consumer_uuids) name where e.kind = 'RELEASE_EXPIRED' and e.at > now() - interval '1 minute' and cardinality(e.consumer_uuids) > 1`;
    expect(row).toEqual({ consumers: 500, names: 500 });
    expect(released.reduce((sum, one) => sum + one, 0)).toBe(500);
    await seed.inventories('large', {});
  });

  test('on a provider that another write has locked is left to the next call, and holds up nothing else', async () => {
    await hold(wanted('a', { expiry: { afterSeconds: 100 } }), wanted('b', { host: 'h2', expiry: { afterSeconds: 110 } }));
    await pass(150);
    const holder = await database.own.reserve();
    await holder`begin`;
    await holder`select from resource_providers where name = 'h1' for no key update`;
    expect(await releaseExpired(database.db)).toBe(1);
    expect(await shown()).toEqual({ a: -50 });
    await holder`rollback`;
    holder.release();
    expect(await releaseExpired(database.db)).toBe(1);
  });

  test('on a provider of which other writes do not let go is released in the queue for it', async () => {
    await hold(wanted('a', { expiry: { afterSeconds: 100 } }));
    await pass(150);
    const holder = await database.own.reserve();
    await holder`begin`;
    await holder`select from resource_providers where name = 'h1' for no key update`;
    const releasing = releaseExpired(database.db);
    const isAwaited = async () => {
      const rows =
        await holder`select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`;
      return rows.length > 0;
    };
    while (!(await isAwaited())) await sleep(5);
    await holder`rollback`;
    holder.release();
    expect(await releasing).toBe(1);
  });

  test('is either extended or released, never both, when both happen at once', async () => {
    for (let round = 0; round < 20; round++) {
      await hold(wanted('a', { expiry: { afterSeconds: 100 } }));
      await pass(200);
      const [released, extended] = await Promise.all([
        releaseExpired(database.db),
        change('a', { afterSeconds: 100 }, { generation: 1 }).then(
          () => true,
          (error) => !(error instanceof Refusal && error.problems[0]?.code === 'CONSUMER_CONFLICT') && Promise.reject(error),
        ),
      ]);
      expect(extended).toBe(released === 0);
      expect(await shown()).toEqual(extended ? { a: 100 } : {});
      if (extended) await hold(wanted('a', { vcpu: 0, expect: unchecked }));
    }
  });
});

describe('a claim that finds no room', () => {
  test('gets that of what has expired: alone, by search, and within a quota', async () => {
    const fill = async () => {
      await hold(
        wanted('a', { vcpu: 10, expiry: { afterSeconds: 100 } }),
        wanted('b', { vcpu: 10, host: 'h2', expiry: { afterSeconds: 900 } }),
      );
      await pass(150);
    };
    await fill();
    await hold(wanted('c', { vcpu: 4 }));
    expect(await shown()).toEqual({ b: 750, c: null });
    await clearSoundLedger(database.db);

    await fill();
    const { claims } = await seek('d');
    expect(claims[0]?.candidate?.root.name).toBe('h1');
    await clearSoundLedger(database.db);

    await replaceQuotas(scope(), { expect: unchecked, project: 'p1', quotas: [{ resourceClass: 'VCPU', amount: 2 }] });
    await hold(wanted('a', { vcpu: 2, expiry: { afterSeconds: 100 } }));
    await pass(150);
    await seek('e', null, quotasHold());
    expect(await shown()).toEqual({ e: null });
    await replaceQuotas(scope(), { expect: unchecked, project: 'p1', quotas: [] });
  });

  test('gets it also while gateways release it', async () => {
    const other = openDatabase(database.target);
    for (let round = 0; round < 20; round++) {
      await hold(wanted('a', { vcpu: 10, expiry: { afterSeconds: 100 } }));
      await pass(150);
      // As patient as a busy machine demands.
      const claimed = withRoomOfExpired(database.db, () => tryAllocations(scope(), { consumers: [wanted('b', { vcpu: 10 })] }), 60_000);
      await Promise.all([releaseExpired(round % 2 === 0 ? database.db : other), claimed]);
      expect(await shown()).toEqual({ b: null });
      await hold(wanted('b', { vcpu: 0, expect: unchecked }));
    }
    await other.close();
  });

  test('is refused as ever if nothing has expired', async () => {
    await hold(wanted('a', { vcpu: 10, expiry: { afterSeconds: 100 } }));
    expect(await refusalOf(database.db, () => hold(wanted('b', { vcpu: 1 })))).toMatchObject([{ code: 'CAPACITY_EXCEEDED' }]);
  });
});

test('any history of claims, extensions, confirmations and releases leaves what a model of time leaves', {
  timeout: 30_000 + histories * 1000,
}, async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const expiry = fc.oneof(fc.constant(null), fc.constant('never' as const), fc.integer({ min: 1, max: 9 }));
  // Four times two fit on the host: room is not what this is about.
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('hold' as const), name, vcpu: fc.integer({ min: 0, max: 2 }), expiry }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), name, expiry: expiry.filter((one) => one !== null) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), units: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const) }) },
  );
  /** Hundreds of seconds, so that the time that the test takes does not count. */
  const inputOf = (given: number | 'never' | null): ExpiryInput | null =>
    given === null ? null : given === 'never' ? { never: true } : { afterSeconds: given * 100 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      /** What is left of each consumer, in units; null: it lasts. */
      const model = new Map<string, number | null>();
      const set = (consumer: string, given: number | 'never' | null) =>
        model.set(consumer, given === null ? (model.get(consumer) ?? null) : given === 'never' ? null : given);
      for (const one of steps) {
        if (one.kind === 'hold') {
          await hold(wanted(one.name, { vcpu: one.vcpu, expect: unchecked, expiry: inputOf(one.expiry) }));
          if (one.vcpu === 0) model.delete(one.name);
          else set(one.name, one.expiry);
        } else if (one.kind === 'change') {
          const done = await change(one.name, inputOf(one.expiry) ?? {}).then(
            () => true,
            (error) => (error instanceof Refusal ? false : Promise.reject(error)),
          );
          expect(done).toBe(model.has(one.name));
          if (done) set(one.name, one.expiry);
        } else if (one.kind === 'pass') {
          await pass(one.units * 100);
          for (const [consumer, left] of model) if (left !== null) model.set(consumer, left - one.units);
        } else {
          const due = [...model].filter(([, left]) => left !== null && left <= 0);
          expect(await releaseExpired(database.db)).toBe(due.length);
          for (const [consumer] of due) model.delete(consumer);
        }
        const expected = Object.fromEntries([...model].map(([consumer, left]) => [consumer, left === null ? null : left * 100]).sort());
        expect(await shown()).toEqual(expected);
      }
      await clearSoundLedger(database.db);
    }),
    { numRuns: histories },
  );
});
