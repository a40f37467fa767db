// The life of a cloud through REST, as Nova does it, at a steady rate: consumers are created and released, and for every ten of these one is resized and one is
// moved. Prints for each tenth of the time how long requests took since they were due; at the end the sizes of tables with their indexes beside those of compact
// copies, what autovacuum did, processor time, and what `audit` finds.
//   npm run bench:churn                          a minute: 1,000 hosts, 10,000 consumers, 200 created and 200 released a second
//   BENCH_MINUTES=60 BENCH_HOSTS=6100 BENCH_CONSUMERS=100000 BENCH_RATE=500 npm run bench:churn
//   npm run bench:churn -- ../other-checkout     another build of this project, which must have been built there
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { runAudit } from '../src/commands/audit.ts';
import { openForWholeTables } from '../src/db/sql/client.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { measurePaced, percentile, repeat } from './support/measure.ts';
import { processorTimeOf } from './support/processor-time.ts';

const minutes = Number(process.env.BENCH_MINUTES ?? 1);
const hostCount = Number(process.env.BENCH_HOSTS ?? 1000);
const consumerCount = Number(process.env.BENCH_CONSUMERS ?? 10_000);
const rate = Number(process.env.BENCH_RATE ?? 200);
const slices = 10;

interface Consumer {
  readonly uuid: string;
  host: string;
  generation: number;
  vcpus: number;
}

const [checkout] = process.argv.slice(2);
const gateway = await startGateway(checkout === undefined ? {} : { checkout });
const db = openForWholeTables(gateway.database, { writeConnections: 1 });
const rest = httpClient(`${gateway.url}/placement`, {
  ...{ 'x-auth-token': 'admin', accept: 'application/json', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.38' },
});

/** Requests that were sent again, because the gateway was overloaded. */
let repeated = 0;

async function ask(method: string, path: string, body?: object): Promise<void> {
  const answer = await rest.request(method, path, body === undefined ? '' : JSON.stringify(body));
  if (answer.status === 503) {
    repeated += 1;
    await setTimeout(1000);
    return ask(method, path, body);
  }
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`);
}

const hosts: string[] = [];
/** The consumers with which nothing is done at present. */
const resting: Consumer[] = [];
const owners = Array.from({ length: 50 }, () => ({ project_id: randomUUID(), user_id: randomUUID() }));

async function createHost(): Promise<void> {
  const uuid = randomUUID();
  await ask('POST', '/resource_providers', { uuid, name: `host-${uuid}` });
  await ask('PUT', `/resource_providers/${uuid}/inventories`, {
    resource_provider_generation: 0,
    inventories: {
      VCPU: { total: 64, allocation_ratio: 16 },
      MEMORY_MB: { total: 262_144, reserved: 512, allocation_ratio: 1.5 },
      DISK_GB: { total: 8192 },
    },
  });
  hosts.push(uuid);
}

const anyOf = <Value>(values: readonly Value[]) => values[Math.floor(Math.random() * values.length)] as Value;

/** Takes one of the consumers at random. */
function take(): Consumer {
  const place = Math.floor(Math.random() * resting.length);
  const last = resting.pop();
  if (!last) throw new Error('no consumer is left: choose more, or a lower rate');
  const taken = resting[place] ?? last;
  if (taken !== last) resting[place] = last;
  return taken;
}

/** The body that gives a consumer what it holds on a host. Its owner follows from its uuid. */
function held({ uuid, vcpus }: Consumer, host: string, consumer_type: string, consumer_generation: number | null) {
  const owner = owners[Number.parseInt(uuid.slice(0, 4), 16) % owners.length];
  return {
    ...owner,
    consumer_type,
    consumer_generation,
    allocations: { [host]: { resources: { VCPU: vcpus, MEMORY_MB: 128, DISK_GB: 1 } } },
  };
}

async function create(): Promise<void> {
  const consumer = { uuid: randomUUID(), host: anyOf(hosts), generation: 1, vcpus: 1 };
  await ask('PUT', `/allocations/${consumer.uuid}`, held(consumer, consumer.host, 'INSTANCE', null));
  resting.push(consumer);
}

async function resize(): Promise<void> {
  const consumer = take();
  consumer.vcpus = consumer.vcpus === 1 ? 2 : 1;
  await ask('PUT', `/allocations/${consumer.uuid}`, held(consumer, consumer.host, 'INSTANCE', consumer.generation));
  consumer.generation += 1;
  resting.push(consumer);
}

async function move(): Promise<void> {
  const consumer = take();
  const [migration, to] = [randomUUID(), anyOf(hosts)];
  await ask('POST', '/allocations', {
    [migration]: held(consumer, consumer.host, 'MIGRATION', null),
    [consumer.uuid]: held(consumer, to, 'INSTANCE', consumer.generation),
  });
  await ask('DELETE', `/allocations/${migration}`);
  consumer.generation += 1;
  consumer.host = to;
  resting.push(consumer);
}

const release = () => ask('DELETE', `/allocations/${take().uuid}`);

async function printSizes(): Promise<void> {
  const tables = [
    'consumers',
    'allocations',
    'inventories',
    'resource_providers',
    'project_usages',
    'provider_changes',
    'events',
    'event_subjects',
  ];
  for (const table of tables) {
    const [row] = await db.sql.unsafe<{ bytes: number; vacuums: number; dead: number }[]>(
      `select sum(pg_total_relation_size(s.relid))::float8 as bytes, sum(autovacuum_count)::float8 as vacuums, sum(n_dead_tup)::float8 as dead
       from pg_stat_user_tables s where s.relid = $1::regclass or s.relid in (select relid from pg_partition_tree($1::regclass))`,
      [table],
    );
    await db.sql.unsafe(`create table compact (like ${table} including indexes); insert into compact select * from ${table}`);
    const [copy] = await db.sql.unsafe<{ bytes: number }[]>("select pg_total_relation_size('compact')::float8 as bytes");
    await db.sql.unsafe('drop table compact');
    const [bytes, compact] = [row?.bytes ?? 0, copy?.bytes ?? 0];
    const megabytes = (value: number) => (value / 1e6).toFixed(1).padStart(9);
    console.log(
      `${table.padEnd(20)}${megabytes(bytes)} MB, compact ${megabytes(compact)} MB, ${(bytes / compact).toFixed(2)} times; ${row?.vacuums} vacuums, ${row?.dead} dead rows`,
    );
  }
}

const kinds = { create: [create, rate], release: [release, rate], resize: [resize, rate / 10], move: [move, rate / 10] } as const;
try {
  await repeat(hostCount, 8, createHost);
  await repeat(consumerCount, 8, create);
  console.log(`${hostCount} hosts, ${consumerCount} consumers`);
  const before = processorTimeOf(gateway.process.pid ?? 0);
  for (let slice = 1; slice <= slices; slice++) {
    const start = performance.now();
    const times = await Promise.all(
      Object.values(kinds).map(([action, perSecond]) => measurePaced(action, perSecond, (minutes * 60) / slices)),
    );
    const seconds = (performance.now() - start) / 1000;
    const of = (values: readonly number[]) =>
      `p50 ${percentile(values, 0.5).toFixed(1)} p99 ${percentile(values, 0.99).toFixed(1)} max ${values.reduce((most, value) => Math.max(most, value), 0).toFixed(0)} ms`;
    const each = Object.keys(kinds).map((name, index) => `${name} ${of(times[index] ?? [])}`);
    console.log(
      `${String(slice).padStart(2)}: ${(times.flat().length / seconds).toFixed(0)}/s; ${each.join('; ')}; ${repeated} repeated so far`,
    );
  }
  const processor = processorTimeOf(gateway.process.pid ?? 0);
  const written = minutes * 60 * rate * 2.3;
  console.log(
    `processor time of a write: ${(((processor.own - before.own) * 1000) / written).toFixed(0)} us gateway, ${(((processor.started - before.started) * 1000) / written).toFixed(0)} us database`,
  );
  await printSizes();
  const { differences } = await runAudit(db, (line) => {
    if (!line.includes('so far')) console.log(`audit: ${line}`);
  });
  if (differences > 0) process.exitCode = 1;
} finally {
  rest.close();
  await db.close();
  await gateway.stop();
}
