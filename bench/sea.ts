// A sea of claims: consumers placed through GraphQL's `claim` (search and claim) on equal hosts, as HashiCorp's C2M did containers on 6,100 hosts. The hosts
// are new, so the first claims are made before the database knows anything about its tables. Prints for each kind of call placements a second, the rate of
// the last tenth by that of the first, how long calls take, processor time of gateway and database, bytes of the database, and the used memory
// of the emptiest and the fullest host; in the end what `audit` finds.
//   npm run bench:sea                                         small: 1,000 hosts, 3,000 placements of each kind
//   BENCH_SEA=whole npm run bench:sea                         6,100 hosts; the last kind of call is C2M itself, 2,000,000 placements. Takes up to an hour
//   BENCH_SEA=whole BENCH_KINDS=12 npm run bench:sea          only C2M
//   npm run bench:sea -- ../other-checkout       another build of this project, which must have been built there
// BENCH_HOSTS, BENCH_PLACEMENTS and BENCH_KINDS (their numbers, such as 2,5) choose otherwise.
import { randomUUID } from 'node:crypto';
import { runAudit } from '../src/commands/audit.ts';
import { openForWholeTables } from '../src/db/sql/client.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import { repeat } from './support/measure.ts';
import { processorTimeOf } from './support/processor-time.ts';

interface Kind {
  readonly perCall: number;
  readonly inFlight: number;
  readonly order: 'none' | 'RANDOM' | 'SPREAD' | 'PACK';
  readonly keyed?: boolean;
  /** Measured only with BENCH_SEA=whole, with this many placements. */
  readonly whole?: number;
}

const isWhole = process.env.BENCH_SEA === 'whole';
const hostCount = Number(process.env.BENCH_HOSTS ?? (isWhole ? 6100 : 1000));
const placements = Number(process.env.BENCH_PLACEMENTS ?? (isWhole ? 30_000 : 3000));
const kinds: readonly Kind[] = [
  { perCall: 1, inFlight: 32, order: 'RANDOM' },
  { perCall: 1, inFlight: 32, order: 'none' },
  { perCall: 1, inFlight: 32, order: 'SPREAD' },
  { perCall: 1, inFlight: 32, order: 'SPREAD', keyed: true },
  { perCall: 1, inFlight: 32, order: 'PACK' },
  { perCall: 10, inFlight: 8, order: 'SPREAD' },
  { perCall: 10, inFlight: 8, order: 'SPREAD', keyed: true },
  { perCall: 10, inFlight: 8, order: 'PACK' },
  { perCall: 100, inFlight: 4, order: 'none' },
  { perCall: 100, inFlight: 4, order: 'RANDOM' },
  { perCall: 100, inFlight: 4, order: 'SPREAD' },
  { perCall: 1000, inFlight: 2, order: 'SPREAD', whole: 1_000_000 },
  { perCall: 10, inFlight: 8, order: 'SPREAD', whole: 2_000_000 },
];
const chosen = process.env.BENCH_KINDS?.split(',').map(Number);

const [checkout] = process.argv.slice(2);
const gateway = await startGateway(checkout === undefined ? {} : { checkout });
const db = openForWholeTables(gateway.database, { writeConnections: 1 });
const graphql = httpClient(gateway.url, { 'x-auth-token': 'admin', 'content-type': 'application/json' });

async function ask<Answer>(query: string, variables: object): Promise<Answer> {
  const { body } = await graphql.request('POST', '/graphql', JSON.stringify({ query, variables }));
  if (body.includes('"errors":') || body.includes('"userErrors":[{')) throw new Error(body.slice(0, 500));
  return (JSON.parse(body) as { data: Answer }).data;
}

const createHost = `mutation Host($uuid: UUID!, $name: String!) {
  createResourceProvider(input: { uuid: $uuid, name: $name }) { userErrors { message } }
  replaceInventories(input: { resourceProvider: $uuid, expect: { unchecked: true }, inventories: [
    { resourceClass: "VCPU", total: 64, allocationRatio: 16 }
    { resourceClass: "MEMORY_MB", total: 262144, reserved: 512, allocationRatio: 1.5 }
    { resourceClass: "DISK_GB", total: 8192 }
  ] }) { userErrors { message } }
}`;
const claimMutation = `mutation Claim($consumers: [ClaimConsumerInput!]!, $request: CandidatesInput!, $idempotencyKey: String) {
  claim(input: { consumers: $consumers, request: $request, idempotencyKey: $idempotencyKey }) {
    claims { consumer { uuid } candidate { root { uuid } } } userErrors { code message }
  }
}`;
const resources = Object.entries({ VCPU: 1, MEMORY_MB: 256, DISK_GB: 1 }).map(([resourceClass, amount]) => ({ resourceClass, amount }));

function requestOf({ order }: Kind): object {
  const free = { field: 'FREE', resourceClass: 'MEMORY_MB', direction: order === 'PACK' ? 'ASC' : 'DESC' };
  const orderBy = { none: [], RANDOM: [{ field: 'RANDOM' }], SPREAD: [free, { field: 'RANDOM' }], PACK: [free, { field: 'RANDOM' }] }[
    order
  ];
  return { groups: [{ resources }], orderBy };
}

async function place(kind: Kind, total: number): Promise<string> {
  const { perCall, inFlight, keyed } = kind;
  const [project, user] = [randomUUID(), randomUUID()];
  const request = requestOf(kind);
  const times: number[] = [];
  /** The time at which each tenth was placed. */
  const marks: number[] = [performance.now()];
  let placed = 0;
  const before = { processor: processorTimeOf(gateway.process.pid ?? 0), bytes: await sizeOf() };
  await repeat(Math.ceil(total / perCall), inFlight, async () => {
    const consumers = Array.from({ length: perCall }, () => ({
      ...{ consumer: randomUUID(), expect: { isNew: true }, project, user, consumerType: 'TASK' },
    }));
    const start = performance.now();
    await ask(claimMutation, { consumers, request, idempotencyKey: keyed ? randomUUID() : null });
    times.push(performance.now() - start);
    placed += perCall;
    while (placed >= (marks.length * total) / 10) marks.push(performance.now());
  });
  const processor = processorTimeOf(gateway.process.pid ?? 0);
  const seconds = ((marks.at(-1) ?? 0) - (marks[0] ?? 0)) / 1000;
  const [first, last] = [tenth(marks, 1), tenth(marks, marks.length - 1)];
  const [emptiest, fullest] = await usedMemory();
  times.sort((a, b) => a - b);
  const quantile = (part: number) => (times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(0);
  const each = (was: number, is: number) => `${(((is - was) * 1000) / placed).toFixed(0)} us`;
  return [
    `${placed} placements in ${seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`}, ${(placed / seconds).toFixed(0)}/s`,
    // With few calls, a tenth is too small to measure.
    ...(total >= 100 * perCall ? [`last tenth ${((100 * first) / last).toFixed(0)} % of the first`] : []),
    `calls p50 ${quantile(0.5)} p99 ${quantile(0.99)} ms`,
    `processor ${each(before.processor.own, processor.own)} gateway ${each(before.processor.started, processor.started)} database`,
    `${(((await sizeOf()) - before.bytes) / placed).toFixed(0)} bytes each`,
    `hosts ${emptiest} to ${fullest} MB used`,
  ].join(', ');
}

const tenth = (marks: readonly number[], place: number) => (marks[place] ?? 0) - (marks[place - 1] ?? 0);

async function sizeOf(): Promise<number> {
  const [row] = await db.sql<{ bytes: string }[]>`select pg_database_size(current_database()) as bytes`;
  return Number(row?.bytes);
}

async function usedMemory(): Promise<readonly [number, number]> {
  const [row] = await db.sql<{ least: number; most: number }[]>`
    select min(i.used) as least, max(i.used) as most from inventories i join resource_classes c on c.id = i.resource_class_id where c.name = 'MEMORY_MB'`;
  return [Number(row?.least), Number(row?.most)];
}

try {
  const start = performance.now();
  await repeat(hostCount, 8, async (index) => void (await ask(createHost, { uuid: randomUUID(), name: `host-${index}` })));
  console.log(`${hostCount} hosts made in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  for (const [index, kind] of kinds.entries()) {
    if (chosen ? !chosen.includes(index) : kind.whole && !isWhole) continue;
    const { perCall, inFlight, order, keyed, whole } = kind;
    const title = `${index}: ${perCall} a call, ${inFlight} in flight, ${order}${keyed ? ', keyed' : ''}`;
    const total = isWhole && whole ? whole : placements;
    try {
      console.log(`${title.padEnd(44)} ${await place(kind, total)}`);
    } catch (error) {
      console.log(`${title.padEnd(44)} ${error instanceof Error ? error.message : error}`);
    }
  }
  const auditStart = performance.now();
  const { differences } = await runAudit(db, (line) => {
    if (!line.includes('so far')) console.log(`audit: ${line}`);
  });
  if (differences > 0) process.exitCode = 1;
  console.log(`audit took ${((performance.now() - auditStart) / 1000).toFixed(0)} s`);
} finally {
  graphql.close();
  await db.close();
  await gateway.stop();
}
