// Examination. What large writes cost is proportional to their size. Counted as the rows that pass through the plans of all statements in the functions, as
// auto_explain reports them, with those that a filter or a join drops: a join of everything with everything shows there, whatever the machine is busy with.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayEvents, selectSubjects } from '../../../src/db/audit.ts';
import { selectProjectUsages } from '../../../src/db/project-usages.ts';
import { connect, connectionOptions, writeSettings } from '../../../src/db/sql/client.ts';
import { joinClaims } from '../../../src/db/writes/claim-batch.ts';
import { operations, type RequestOf, type WriteOperation } from '../../../src/db/writes/operations.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { uuidOf } from '../../support/seed.ts';

let database: TestDatabase;
let sql: Sql;
const executed: Executed[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  sql = await openExplained(writeSettings);
  await sql`select ensure_consumer_names('{p}', '{u}', '{INSTANCE}')`;
  // Statistics that are gathered between the smaller and the larger write would change plans at a moment of their own.
  const tables = await sql<
    { name: string }[]
  >`select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
  for (const { name } of tables) await sql.unsafe(`alter table ${name} set (autovacuum_enabled = off)`);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** A session that puts the plans of its statements into `executed`. */
async function openExplained(settings: Readonly<Record<string, string>>): Promise<Sql> {
  const onnotice = ({ message = '' }: { message?: string }) => {
    if (message.startsWith('duration')) executed.push(JSON.parse(message.slice(message.indexOf('{'))) as Executed);
  };
  const session = connect(database.target, {
    ...connectionOptions(database.target, { ...settings, statement_timeout: 0 }),
    ...{ max: 1, onnotice },
  });
  await session.unsafe(`
    load 'auto_explain';
    set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_format = json;
    set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_buffers = off; set client_min_messages = log`);
  return session;
}

interface Executed {
  readonly 'Query Text': string;
  readonly Plan: Plan;
}

/** A node of a plan. Rows and loops are averages and totals of one execution. */
interface Plan {
  /** The table that it reads or writes. */
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function rowsIn(plan: Plan, counts: (node: Plan) => boolean = () => true): number {
  const dropped = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const own = ((plan['Actual Rows'] ?? 0) + dropped) * (plan['Actual Loops'] ?? 0);
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsIn(child, counts), counts(plan) ? own : 0);
}

/** The rows of all that was executed since `executed` was emptied, without what checks foreign keys. */
function rowsExecuted(counts?: (node: Plan) => boolean): number {
  return ownStatements().reduce((sum, { Plan: plan }) => sum + rowsIn(plan, counts), 0);
}

const ownStatements = () => executed.filter((one) => !one['Query Text'].startsWith('SELECT 1 FROM ONLY'));

interface Cost {
  readonly rows: number;
  /** Those of tables. */
  readonly tableRows: number;
  /** Executions of statements, without those that check foreign keys. */
  readonly statements: number;
}

async function costOf<Name extends WriteOperation>(operation: Name, request: RequestOf<Name>): Promise<Cost> {
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  executed.length = 0;
  const whole = JSON.stringify({ ...request, kind: operations[operation].event, by });
  const [row] = await sql<{ answer: object }[]>`select apply_write(${operation}, ${whole}::text::jsonb) as answer`;
  expect(row?.answer).not.toHaveProperty('refusal');
  return {
    rows: rowsExecuted(),
    tableRows: rowsExecuted((node) => node['Relation Name'] !== undefined),
    statements: ownStatements().length,
  };
}

const plain = { reserved: 0, minUnit: 1, maxUnit: 1000, stepSize: 1, allocationRatio: 1 };
const inventories = (total: number) => ['VCPU', 'MEMORY_MB'].map((resourceClass) => ({ resourceClass, total, ...plain }));
const traits = ['HW_CPU_X86_AVX2', 'STORAGE_DISK_SSD'];

/** Everything that is written in bulk, in this order, for clouds of two sizes. `size`: providers; five times as many consumers. */
function bulkWritesOf(size: number) {
  const of = (name: string) => uuidOf(`${name} of ${size}`);
  const hosts = Array.from({ length: size }, (_, index) => `host${index}`);
  const tree = (total: number, nameOf = (host: string) => `${host} of ${size}`) => ({
    root: of('host0'),
    dryRun: false,
    consumers: [],
    providers: hosts.map((host, index) => ({
      ...{ uuid: of(host), name: nameOf(host), parent: index === 0 ? null : nameOf(`host${index >> 2}`), expect: {} },
      ...{ inventories: inventories(total), traits: traits.slice(total % 2), aggregates: [of('zone'), of(`rack${index >> 4}`)] },
    })),
  });
  const consumers = (shift: number, expectation: object, prefix = 'server') =>
    Array.from({ length: 5 * size }, (_, index) => ({
      ...{ uuid: of(`${prefix}${index}`), expect: expectation, project: 'p', user: 'u', type: 'INSTANCE', keepType: false },
      allocations: [{ provider: of(`host${(index + shift) % size}`), resourceClass: 'VCPU', amount: 1 }],
    }));
  const reshaped = (total: number) => hosts.map((host) => ({ provider: of(host), expect: {}, inventories: inventories(total) }));
  const imported = (prefix: string, generation: number) =>
    hosts.map((host, index) => ({
      ...{ uuid: of(prefix + host), name: `${prefix}${host} of ${size}`, generation, parent: index === 0 ? null : of(`${prefix}host0`) },
      ...{ inventories: inventories(generation), traits, aggregates: [of('zone')] },
    }));
  return {
    'a new tree': () => costOf('apply_provider_tree', tree(1000)),
    'a tree that is as it should be': () => costOf('apply_provider_tree', tree(1000)),
    'other inventories, traits and names in a tree': () =>
      costOf(
        'apply_provider_tree',
        tree(1001, (host) => `${host} of ${size}, renamed`),
      ),
    'a reshape with new consumers': () => costOf('reshape', { providers: reshaped(900), consumers: consumers(0, { isNew: true }) }),
    'a reshape that moves consumers': () => costOf('reshape', { providers: reshaped(800), consumers: consumers(1, { generation: 1 }) }),
    'claims together': () => costOf('replace_allocations', { consumers: consumers(0, { isNew: true }, 'other') }),
    'releases together': () =>
      costOf('release_allocations', { consumers: consumers(0, {}, 'other').map((one) => ({ ...one, allocations: [] })) }),
    'an import of providers': () => costOf('import_resource_providers', { providers: imported('far ', 7) }),
    'an import of providers that have changed': () => costOf('import_resource_providers', { providers: imported('far ', 9) }),
    'an import of consumers': () =>
      costOf('import_consumers', { consumers: consumers(0, {}, 'far').map((one) => ({ ...one, generation: 7 })) }),
  };
}

test('four times as many providers and consumers cost four times as much', async () => {
  const costs = new Map<string, Cost[]>();
  for (const size of [40, 160]) {
    for (const [name, write] of Object.entries(bulkWritesOf(size))) costs.set(name, [...(costs.get(name) ?? []), await write()]);
  }
  const growthOf = (part: keyof Cost) =>
    new Map([...costs].map(([name, [small, large]]) => [name, (large?.[part] ?? Number.NaN) / (small?.[part] ?? Number.NaN)]));
  expect([...growthOf('rows')].filter(([, growth]) => !(growth < 4.3))).toEqual([]);
  const statements = growthOf('statements');
  for (const name of ['a new tree', 'claims together', 'releases together']) expect([name, statements.get(name)]).toEqual([name, 1]);
}, 60_000);

test('an audit finds what it can correct by reading every row a few times, however many there are', async () => {
  for (const write of Object.values(bulkWritesOf(120))) await write();
  const { rows } = await costOf('mend_derived', { contested: [], dryRun: true });
  const [kept] = await sql<{ rows: number }[]>`
    select sum(n)::int as rows from (
      select count(*) as n from allocations union all select count(*) from consumers union all select count(*) from inventories
      union all select count(*) from resource_providers union all select count(*) from event_subjects) _`;
  expect(rows / (kept?.rows ?? 0)).toBeLessThan(8);
});

test('an audit replays a few subjects by reading only their events, whatever the statistics of the tables', async () => {
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  const host = { uuid: uuidOf('replayed host'), name: 'replayed host', parent: null, expect: {}, inventories: inventories(10_000) };
  await costOf('apply_provider_tree', { root: host.uuid, dryRun: false, consumers: [], providers: [host] });
  const allocations = [{ provider: host.uuid, resourceClass: 'VCPU', amount: 1 }];
  const claims = Array.from({ length: 40 }, (_, nth) => ({
    call: { by },
    consumers: Array.from({ length: 100 }, (_, place) => ({
      ...{ uuid: uuidOf(`replayed ${nth} ${place}`), project: 'p', user: 'u', type: 'INSTANCE', allocations },
    })),
  }));
  const subjects = claims.flatMap(({ consumers }) => consumers.slice(0, 10).map(({ uuid }) => uuid));
  const reader = await openExplained({ random_page_cost: '1.1' });
  try {
    for (const claim of claims) await costOf('claim_together', joinClaims([claim]));
    for (const known of ['nothing', 'everything']) {
      if (known === 'everything') await sql`analyze`;
      executed.length = 0;
      expect(await replayEvents({ ...database.db, sql: reader }, subjects)).toEqual([]);
      const read = rowsExecuted((node) => node['Relation Name']?.startsWith('event') ?? false);
      expect([known, read / subjects.length]).toEqual([known, 2]);
    }
  } finally {
    await reader.end();
  }
});

test('an audit finds each subject by reading few entries, however many precede it', async () => {
  const reader = await openExplained({ random_page_cost: '1.1' });
  try {
    const db = { ...database.db, sql: reader };
    const [kept] = await sql<{ subjects: number }[]>`select count(distinct subject)::int as subjects from event_subjects`;
    executed.length = 0;
    const found: string[] = [];
    // So often that a plan for any values is kept.
    for (let page = await selectSubjects(db, null, 100); page.length > 0; page = await selectSubjects(db, found.at(-1) ?? null, 100)) {
      found.push(...page);
    }
    expect([found.length, new Set(found).size]).toEqual([kept?.subjects, kept?.subjects]);
    const read = rowsExecuted((node) => node['Relation Name']?.startsWith('event') ?? false);
    expect(read / found.length).toBeLessThan(3);
  } finally {
    await reader.end();
  }
});

test('usages of a project of 100,000 consumers are read from a few rows, whatever the statistics of the tables', async () => {
  const host = { uuid: uuidOf('large host'), name: 'large host', parent: null, expect: {}, inventories: inventories(1_000_000) };
  await costOf('apply_provider_tree', { root: host.uuid, dryRun: false, consumers: [], providers: [host] });
  await sql`select ensure_consumer_names('{large}', '{one, two}', '{INSTANCE}')`;
  // In parts: a long transaction would hold up tests of other databases on this server.
  for (let part = 0; part < 20; part += 1) {
    await database.own`
      with made as (
        insert into consumers (uuid, project_id, user_id, consumer_type_id)
        select gen_random_uuid(), p.id, (select min(id) from users) + n % 2, t.id
        from projects p cross join consumer_types t cross join generate_series(1, 5000) n where p.external_id = 'large' returning id
      )
      insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
      select made.id, i.resource_provider_id, i.resource_class_id, 1
      from made cross join inventories i join resource_providers p on p.id = i.resource_provider_id where p.uuid = ${host.uuid}`;
  }
  await costOf('mend_derived', { contested: [], dryRun: false });
  const reader = await openExplained({ random_page_cost: '1.1' });
  try {
    for (const known of ['nothing', 'everything']) {
      if (known === 'everything') await sql`analyze`;
      executed.length = 0;
      const [usage] = await selectProjectUsages({ ...database.db, sql: reader }, { project: 'large' }, false);
      expect(usage?.consumerCount).toBe(100_000);
      // Those of other tests' projects may be looked at, too, while there are so few.
      expect(rowsExecuted((node) => /usages|consumers|allocations/.test(node['Relation Name'] ?? ''))).toBeLessThan(1000);
    }
  } finally {
    await reader.end();
  }
}, 60_000);

describe('a claim reads only rows of its own providers, whatever the statistics of the tables when it is planned:', () => {
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  const hosts = Array.from({ length: 500 }, (_, index) => `alone ${index}`);
  const classes = ['VCPU', 'MEMORY_MB'];
  let made = 0;

  const newConsumers = (providers: readonly string[]) =>
    providers.map((host) => ({
      ...{ uuid: uuidOf(`alone ${++made}`), project: 'p', user: 'u', type: 'INSTANCE' },
      allocations: classes.map((resourceClass) => ({ provider: uuidOf(host), resourceClass, amount: 1 })),
    }));
  const together = (count: number) => () =>
    costOf('claim_together', joinClaims(newConsumers(hosts.slice(-count)).map((consumer) => ({ call: { by }, consumers: [consumer] }))));
  const alone = (count: number, checkFirst: boolean) => () => {
    const consumers = newConsumers(hosts.slice(-count)).map((consumer) => ({
      ...consumer,
      expect: { isNew: true as const },
      keepType: false,
    }));
    return costOf('replace_allocations', { consumers, ...(checkFirst && { checkFirst }) });
  };
  const release = () => costOf('release_allocations', { consumers: [{ uuid: uuidOf(`alone ${made}`), expect: {}, allocations: [] }] });
  const writes = {
    'one claim': together(1),
    '8 claims together': together(8),
    'one claim that is tried alone': alone(1, true),
    'a claim of 100 consumers': alone(100, false),
    'a claim of 100 consumers that is tried alone': alone(100, true),
    'a release': release,
  };

  const fill = (some: readonly string[]) =>
    costOf('apply_provider_tree', {
      ...{ root: uuidOf(some[0] ?? ''), dryRun: false, consumers: [] },
      providers: some.map((name, index) => ({
        ...{ uuid: uuidOf(name), name, parent: index === 0 ? null : (some[0] ?? ''), expect: {}, inventories: inventories(1000) },
      })),
    });
  /** What is known: plans are made in the first part and used in the second. */
  const states: Record<string, () => Promise<void>> = {
    'never analyzed': async () => {
      await fill(hosts);
      await sql`discard plans`;
    },
    'planned while the tables were empty': async () => {
      await sql`analyze`;
      await sql`discard plans`;
      await fill(hosts.slice(0, 1));
      for (const write of Object.values({ ...writes, 'a release': async () => {} })) await write().catch(() => {});
      await fill(hosts);
    },
    'analyzed while there was one host': async () => {
      await fill(hosts.slice(0, 1));
      await sql`analyze`;
      await fill(hosts);
      await sql`discard plans`;
    },
    'analyzed since': async () => {
      await fill(hosts);
      await sql`analyze`;
      await sql`discard plans`;
    },
  };

  test.each(Object.keys(states).slice(0, -1))(
    '%s, nearly as many rows as when all is known',
    async (state) => {
      const costs: Map<string, number>[] = [];
      for (const name of [state, 'analyzed since']) {
        await sql`truncate allocations, consumers, inventories, resource_providers cascade`;
        await states[name]?.();
        const own = new Map<string, number>();
        for (const [kind, write] of Object.entries(writes)) own.set(kind, (await write()).rows);
        costs.push(own);
      }
      const [unknown, known] = costs;
      const ratios = [...(known ?? [])].map(([kind, rows]) => [kind, (unknown?.get(kind) ?? Number.NaN) / rows] as const);
      expect(ratios.filter(([, ratio]) => !(ratio < 1.3))).toEqual([]);
    },
    60_000,
  );
});

test('one of 64 claims that must be left out adds a few statements, which read few rows', async () => {
  const hosts = Array.from({ length: 128 }, (_, index) => `beside ${index}`);
  const providers = hosts.map((name, index) => ({
    ...{ uuid: uuidOf(name), name, parent: index === 0 ? null : (hosts[0] ?? ''), expect: {}, inventories: inventories(1000) },
  }));
  await costOf('apply_provider_tree', { root: uuidOf(hosts[0] ?? ''), dryRun: false, consumers: [], providers });
  await sql`analyze`;
  const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
  let batch = 0;
  const costOfClaims = async (isLeftOut: (place: number) => boolean) => {
    batch += 1;
    const claims = hosts.slice(0, 64).map((_, place) => {
      const provider = uuidOf(hosts[(place * 7) % hosts.length] ?? '');
      const amounts = [isLeftOut(place) ? 1001 : 1, 1];
      const allocations = ['VCPU', 'MEMORY_MB'].map((resourceClass, index) => ({ provider, resourceClass, amount: amounts[index] ?? 1 }));
      const consumer = { uuid: uuidOf(`server ${batch} ${place}`), project: 'p', user: 'u', type: 'INSTANCE', allocations };
      return { call: { by }, consumers: [consumer] };
    });
    return costOf('claim_together', joinClaims(claims));
  };
  const all = await costOfClaims(() => false);
  const allButOne = await costOfClaims((place) => place === 31);
  expect(allButOne.tableRows - all.tableRows).toBeLessThan(20);
  expect(allButOne.statements - all.statements).toBeLessThan(12);
}, 60_000);
