// Half a year of claims on a small scale, through the real functions: how much a claim writes into each table, and whether the size of the ledger and the cost
// of claims are the same at the end as at the beginning. Time is a parameter of the housekeeping functions, so a day takes a fraction of a second. Scaled down:
// instead of 100 claims a second, a few a day, each released the day after; the retention, the chunks and the number of days are real.
//   npm run bench:years                                 BENCH_DAYS=182 BENCH_CLAIMS=40 BENCH_RETENTION=90
import { randomUUID } from 'node:crypto';
import { migrate } from '../src/db/schema/migrate.ts';
import { openDatabase } from '../src/db/sql/client.ts';
import { applyWrite } from '../src/db/writes/apply-write.ts';
import type { RequestOf } from '../src/db/writes/operations.ts';
import { submitWrite } from '../src/db/writes/submit-write.ts';
import { daysOfChunk } from '../src/domain/event-retention.ts';
import { startDatabase } from './support/database.ts';
import { median } from './support/measure.ts';

const days = Number(process.env.BENCH_DAYS ?? 182);
const claimsADay = Number(process.env.BENCH_CLAIMS ?? 40);
const retention = Number(process.env.BENCH_RETENTION ?? 90);
const hostCount = 100;
const chunkDays = daysOfChunk(retention);
/** Late in the first chunk. */
const firstLook = Math.max(1, chunkDays - 1);
const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-00000000-0000-4000-8000-000000000000' };
const growing = ['events', 'event_subjects', 'idempotency_keys', 'provider_changes'];
const steady = ['consumers', 'allocations', 'inventories', 'resource_providers'];

const { target, stop } = await startDatabase({ durability: 'none' });
await migrate(target);
const db = openDatabase(target, { writeConnections: 6 });
const { writes, sql } = db;
const hosts = Array.from({ length: hostCount }, () => randomUUID());
for (const [index, uuid] of hosts.entries()) {
  await applyWrite(db, 'create_resource_provider', { uuid, name: `host${index}`, parent: null, ensure: false }, { by });
  const inventories = ['VCPU', 'MEMORY_MB', 'DISK_GB'].map((resourceClass) => ({
    ...{ resourceClass, total: 2_000_000_000, reserved: 0, minUnit: 1, maxUnit: 1_000_000, stepSize: 1, allocationRatio: 1 },
  }));
  await applyWrite(db, 'replace_inventories', { provider: uuid, expect: {}, inventories }, { by });
}

const named = (noun: string) => Array.from({ length: 40 }, (_, index) => `${noun}-${index}`);
await writes`select ensure_consumer_names(${named('project')}::text[], ${named('user')}::text[], ${['INSTANCE']}::text[])`;

type Held = RequestOf<'replace_allocations'>['consumers'][number];
let made = 0;

/** A new consumer as Nova creates it: three classes on one host. */
function newConsumer(): Held {
  made += 1;
  const allocations = { VCPU: 2, MEMORY_MB: 4096, DISK_GB: 40 };
  return {
    ...{
      uuid: randomUUID(),
      expect: { isNew: true },
      project: `project-${made % 40}`,
      user: `user-${made % 40}`,
      type: 'INSTANCE',
      keepType: false,
    },
    allocations: Object.entries(allocations).map(([resourceClass, amount]) => ({
      provider: hosts[made % hostCount] ?? '',
      resourceClass,
      amount,
    })),
  };
}

async function claim(): Promise<Held> {
  const consumer = newConsumer();
  const idempotency = { principal: 'admin', operation: 'replaceAllocations', key: consumer.uuid, hash: consumer.uuid };
  const answer = await submitWrite(db, 'replace_allocations', { consumers: [consumer] }, { by, idempotency });
  if ('refusal' in answer) throw new Error(JSON.stringify(answer.refusal));
  return consumer;
}

async function release({ uuid, project = null, user = null }: Held): Promise<void> {
  const consumers = [{ uuid, expect: {}, project, user, type: 'INSTANCE', keepType: true, allocations: [] }];
  const answer = await submitWrite(db, 'replace_allocations', { consumers }, { by });
  if ('refusal' in answer) throw new Error(JSON.stringify(answer.refusal));
}

interface Size {
  readonly heap: number;
  readonly indexes: number;
}

/** Bytes of a table and all its partitions. */
async function sizeOf(table: string): Promise<Size> {
  const [size] = await sql<Size[]>`
    select sum(pg_table_size(relid))::float8 as heap, sum(pg_indexes_size(relid))::float8 as indexes from (
      select ${table}::regclass as relid union select inhrelid from pg_inherits where inhparent = ${table}::regclass) parts`;
  return size ?? { heap: 0, indexes: 0 };
}

/** The buffers that the database reads for a claim, a page of a host's events and a page of the feed. */
async function work(): Promise<Record<string, number>> {
  const buffers = async (statement: string) => {
    const [row] = await writes.unsafe<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
      `explain (analyze, buffers, timing off, format json) ${statement}`,
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  };
  const claims: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    const request = { kind: 'REPLACE_ALLOCATIONS', by, consumers: [newConsumer()] };
    claims.push(await buffers(`select apply_write('replace_allocations', '${JSON.stringify(request)}')`));
  }
  const [newest] = await sql<{ id: string }[]>`select max(id)::text as id from events`;
  return {
    'a claim': median(claims),
    "a host's last 5 events": await buffers(`select e.* from event_subjects s join events e on e.id = s.event_id
      where s.subject = '${hosts[7]}' order by s.event_id desc limit 5`),
    'an event by id': await buffers(`select * from events where id = ${newest?.id}`),
  };
}

async function keepHouse(day: number): Promise<{ begun: boolean; dropped: number }> {
  const [row] = await writes<{ begun: boolean }[]>`
    select begin_event_chunk(make_interval(days => ${chunkDays}::int), now() + make_interval(days => ${day}::int)) as begun`;
  await writes`select create_event_chunk()`;
  let dropped = 0;
  for (let isMore = true; isMore; ) {
    const [gone] = await writes<{ number: number | null }[]>`
      select drop_event_chunk(now() + make_interval(days => ${day - retention}::int)) as number`;
    isMore = typeof gone?.number === 'number';
    if (isMore) dropped += 1;
  }
  return { begun: row?.begun ?? false, dropped };
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} kB`;
const atBeginning = new Map<string, { size: Size; rows: number }>();
let yesterday: Held[] = [];
const seen: { day: number; work: Record<string, number> }[] = [];
const totals = { begun: 0, dropped: 0, mostChunks: 0 };
for (let day = 1; day <= days; day += 1) {
  const today: Held[] = [];
  const [start] = await sql<{ at: string }[]>`select now()::text as at`;
  for (let count = 0; count < claimsADay; count += 1) today.push(await claim());
  for (const consumer of yesterday) await release(consumer);
  yesterday = today;
  await writes`delete from idempotency_keys where created_at < ${start?.at ?? ''}::timestamptz`;
  const { begun, dropped } = await keepHouse(day);
  totals.begun += begun ? 1 : 0;
  totals.dropped += dropped;
  // As autovacuum does, but more often.
  await writes`vacuum idempotency_keys, provider_changes, consumers, allocations, inventories, resource_providers`;
  if (day === firstLook || day === days) {
    await writes`vacuum analyze`;
    seen.push({ day, work: await work() });
    for (const table of [...growing, ...steady]) {
      const [row] = await sql<{ rows: number }[]>`select count(*)::float8 as rows from ${sql(table)}`;
      const now = { size: await sizeOf(table), rows: row?.rows ?? 0 };
      const was = atBeginning.get(table);
      if (!was) atBeginning.set(table, now);
      else print(table, was, now);
    }
  }
}

function print(table: string, was: { size: Size; rows: number }, now: { size: Size; rows: number }): void {
  const sizes = ({ size: { heap, indexes }, rows }: typeof was) =>
    `${rows} rows, ${kilobytes(heap)} + ${kilobytes(indexes)} of indexes, ${Math.round((heap + indexes) / Math.max(1, rows))} bytes a row`;
  process.stdout.write(`${table}: day ${firstLook} ${sizes(was)}; day ${days} ${sizes(now)}\n`);
}

const [parts] = await sql<{ chunks: number }[]>`select count(*)::int as chunks from event_chunks`;
process.stdout.write(`${totals.begun} chunks of ${chunkDays} days begun, ${totals.dropped} dropped, ${parts?.chunks} there\n`);
for (const { day, work: of } of seen) {
  process.stdout.write(
    `day ${day}, buffers: ${Object.entries(of)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}\n`,
  );
}
await db.close();
await stop();
