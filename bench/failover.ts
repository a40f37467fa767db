// What clients notice when gateways are restarted and the primary is killed, replaced or cut off: the cluster of deploy/patroni under load, behind its HAProxy.
// Random clients of the torture suite write histories that its checker judges. Beside them callers claim, search and list, and retry by the documented rule
// (docs/clients.md): 503, 502 and broken connections after a second, claims with their key. Exits with 1 when anything is lost, done twice, over capacity, or
// failed for good, when service is back more than a second after Patroni's, or when a gateway has exited by itself.
// It needs a new cluster, because it cannot explain writes of others.
//   npm run build && GATEWAYS=4 deploy/patroni/cluster up && npm run failover && deploy/patroni/cluster down
//   FAILOVER_MINUTES=10 FAILOVER_STEPS=restart-gateways,kill-primary,switchover,partition FAILOVER_SEED=1
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { diceOf } from '../test/support/dice.ts';
import { mutation } from '../test/torture/allocation-plans.ts';
import { checkRun, comesBack, comesToRest } from '../test/torture/check.ts';
import { Client, type Request } from '../test/torture/client.ts';
import { Cloud, pick } from '../test/torture/cloud.ts';
import type { Answer, Operation, Violation } from '../test/torture/history.ts';
import { connectTo, findBadRows } from '../test/torture/ledger-rows.ts';
import { foundCloud, runClients } from '../test/torture/workload.ts';

const minutes = Number(process.env.FAILOVER_MINUTES ?? 4);
const steps = (process.env.FAILOVER_STEPS ?? 'restart-gateways,kill-primary,switchover,partition').split(',');
const seed = Number(process.env.FAILOVER_SEED ?? Math.floor(Math.random() * 1e6));
const directory = process.env.PATRONI_DIRECTORY ?? '/tmp/placement-patroni';
const front = 'http://127.0.0.1:8778';
const cluster = fileURLToPath(new URL('../deploy/patroni/cluster', import.meta.url));
const nodes = [1, 2, 3].map((number) => ({ name: `pg${number}`, patroni: `http://10.78.0.1${number}:8008` }));
process.env.PGPASSWORD = 'placement';

const run = async (...args: string[]) => (await promisify(execFile)(cluster, args)).stdout.trim();
const now = () => performance.now();

const gateways = [1, 2, 3, 4].filter((number) => existsSync(`${directory}/gateway${number}.pid`));
const urls = gateways.map((number) => `http://127.0.0.1:${8780 + number}`);
const processes = () => gateways.map((number) => Number(readFileSync(`${directory}/gateway${number}.pid`, 'utf8')));
const isAlive = (id: number) => existsSync(`/proc/${id}`);

/** The outcomes of the requests of the steady callers, by kind. */
interface Count {
  done: number;
  /** Requests that were answered after a retry. */
  repeated: number;
  /** Requests without an answer within a minute. */
  failed: number;
  readonly reasons: Record<string, number>;
}
const counts: Record<string, Count> = {};

/** Sends a request until it is answered. */
async function persist(kind: string, client: Client, request: Request, id: string): Promise<Answer> {
  counts[kind] ??= { done: 0, repeated: 0, failed: 0, reasons: {} };
  const count = counts[kind];
  const end = now() + 60_000;
  for (let attempt = 1; ; attempt++) {
    const answer = await client.send(front, request, id);
    const isPassing = answer.outcome === 'unknown' || answer.code === 'UNAVAILABLE' || answer.code === 'NOT_SENT';
    if (!isPassing) {
      count.done++;
      if (attempt > 1) count.repeated++;
      return answer;
    }
    count.reasons[answer.code] = (count.reasons[answer.code] ?? 0) + 1;
    if (now() > end) {
      count.failed++;
      return answer;
    }
    await sleep(1000);
  }
}

const cloud = new Cloud(String(seed));
const history: Operation[] = [];
const work = { cloud, urls: () => [front], seed, history };
const roomy = Array.from({ length: 10 }, () => cloud.newUuid());

/** Sends a mutation with a key, and records it for the checker. */
async function record(client: Client, field: string, input: object, wanted: Operation['wanted'] = {}): Promise<void> {
  const id = `req-${cloud.newUuid()}`;
  const request = mutation(field, input, '').request(cloud.newUuid());
  const invoked = now();
  const answer = await persist(field, client, request, id);
  const returned = answer.outcome === 'unknown' ? Number.POSITIVE_INFINITY : now();
  history.push({
    ...{ id, client: 'steady', name: field, kind: 'write', input, isKeyed: true, invoked, returned, outcome: answer.outcome },
    ...{ answers: [{ outcome: answer.outcome, code: answer.code }], readings: [], wanted, alwaysWrites: true },
  });
}

async function claim(client: Client, roll: (sides: number) => number): Promise<void> {
  const consumer = cloud.newUuid();
  const host = pick(roll, roomy);
  const allocations = [{ resourceProvider: host, resources: [{ resourceClass: 'VCPU', amount: 1 }] }];
  const owner = { project: 'p', user: 'u', consumerType: 'INSTANCE' };
  const consumers = [{ consumer, expect: { isNew: true }, hold: { allocations }, ...owner }];
  await record(client, 'replaceAllocations', { consumers }, { [consumer]: { [`${host}/VCPU`]: 1 } });
}

const reads: Readonly<Record<string, Request>> = {
  search: { route: 'GET /allocation_candidates?resources=VCPU:1&limit=5', body: undefined },
  list: { route: 'GET /resource_providers?resources=VCPU:1', body: undefined },
  'list in GraphQL': {
    route: 'graphql',
    body: { query: '{ resourceProviders(first: 20) { nodes { name generation inventories { used free } } } }' },
  },
};

async function callSteadily(isOver: () => boolean): Promise<void> {
  const caller = async (index: number, act: (client: Client, roll: (sides: number) => number) => Promise<unknown>) => {
    const client = new Client();
    const roll = diceOf(seed + index);
    while (!isOver()) {
      await act(client, roll);
      await sleep(20 + roll(40));
    }
    client.close();
  };
  const readers = Object.entries(reads).map(
    ([kind, request]) =>
      (client: Client) =>
        persist(kind, client, request, 'req-00000000-0000-4000-8000-000000000000'),
  );
  await Promise.all([...Array.from({ length: 6 }, () => claim), ...readers].map((act, index) => caller(index, act)));
}

const isPrimary = ({ patroni }: (typeof nodes)[number]) =>
  fetch(`${patroni}/primary`, { signal: AbortSignal.timeout(400) }).then(
    ({ ok }) => ok,
    () => false,
  );

interface Seen {
  readonly step: string;
  readonly at: number;
  /** Milliseconds until another server was the primary; null if none should become it. */
  readonly patroni: number | null;
  readonly gatewaysEnded: number;
}

/** Causes a failure, waits until there is another primary, and repairs the failed one later. */
async function perform(step: string): Promise<Seen> {
  const before = processes();
  if (step === 'restart-gateways') {
    const at = now();
    await run(step);
    return { step, at, patroni: null, gatewaysEnded: 0 };
  }
  const old = await run('primary');
  const at = now();
  const others = nodes.filter(({ name }) => name !== old);
  const done = run(...(step === 'partition' ? [step, old] : [step]));
  let patroni = Number.NaN;
  while (Number.isNaN(patroni) && now() - at < 60_000) {
    if ((await Promise.all(others.map(isPrimary))).includes(true)) patroni = now() - at;
    else await sleep(50);
  }
  await done;
  await sleep(8000);
  if (step === 'partition') await run('heal', old);
  if (step === 'kill-primary') await run('start', old);
  return { step, at, patroni, gatewaysEnded: before.filter((id) => !isAlive(id)).length };
}

const sql = connectTo({ socketDirectory: '127.0.0.1', port: 5000, user: 'placement', database: 'placement' });
const problems: Violation[] = [];
const begun = now();
const end = begun + minutes * 60_000;
const isOver = () => now() > end;

await foundCloud(work);
const founder = new Client();
for (const [index, uuid] of roomy.entries()) {
  await record(founder, 'createResourceProvider', { uuid, name: `roomy ${seed} ${index}` });
  const inventories = [{ resourceClass: 'VCPU', total: 1_000_000 }];
  await record(founder, 'replaceInventories', { resourceProvider: uuid, expect: { unchecked: true }, inventories });
}
founder.close();

const seen: Seen[] = [];
const walk = async () => {
  const pause = (minutes * 60_000) / (steps.length + 1);
  for (const [index, step] of steps.entries()) {
    while (now() < begun + pause * (index + 0.6)) await sleep(100);
    seen.push(await perform(step));
    console.log(`${Math.round((now() - begun) / 1000)} s: ${step} is over`);
  }
};
const watch = async () => {
  while (!isOver()) {
    problems.push(...(await findBadRows(sql, cloud.steady).catch(() => [])));
    await sleep(1000);
  }
};
await Promise.all([runClients(work, 4, isOver), callSteadily(isOver), walk(), watch()]);

const back = await comesBack(urls);
await sleep(5000);
problems.push(...back.violations, ...(await comesToRest(sql)));
problems.push(...(await checkRun({ sql, history, steady: cloud.steady, urls })));

const acknowledged = history
  .flatMap(({ kind, outcome, returned }) => (kind === 'write' && outcome === 'ok' ? [returned] : []))
  .sort((a, b) => a - b);
for (const [index, { step, at, patroni, gatewaysEnded }] of seen.entries()) {
  const until = seen[index + 1]?.at ?? end;
  const times = [at, ...acknowledged.filter((time) => time > at && time < until)];
  const gaps = times.slice(1).map((time, index) => ({ gap: time - (times[index] ?? 0), until: time - at }));
  const longest = gaps.reduce((most, one) => (one.gap > most.gap ? one : most), { gap: 0, until: 0 });
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  console.log(
    `${step}: no write acknowledged for ${seconds(longest.gap)}${patroni === null ? '' : `; another primary after ${seconds(patroni)}, writes after ${seconds(longest.until)}`}`,
  );
  if (patroni !== null && !(longest.until - patroni <= 1000)) problems.push({ anomaly: 'late', text: step });
  if (gatewaysEnded > 0) problems.push({ anomaly: 'gateway ended', text: `${gatewaysEnded} at ${step}` });
}
for (const [kind, { done, repeated, failed, reasons }] of Object.entries(counts)) {
  console.log(`${kind}: ${done} answered, ${repeated} of them after repeating (${JSON.stringify(reasons)}), ${failed} failed for good`);
  if (failed > 0) problems.push({ anomaly: 'failed for good', text: `${failed} of ${kind}` });
}
const outcomes = ['ok', 'fail', 'unknown'].map(
  (outcome) => `${history.filter((operation) => operation.outcome === outcome).length} ${outcome}`,
);
console.log(`histories: ${history.length} operations (${outcomes.join(', ')}), ${acknowledged.length} acknowledged writes; seed ${seed}`);
console.log(problems.length === 0 ? 'nothing lost, nothing done twice, nothing over capacity' : `${problems.length} problems`);
for (const { anomaly, text } of problems.slice(0, 30)) console.log(`  ${anomaly}: ${text}`);
await sql.end({ timeout: 5 });
process.exit(problems.length === 0 ? 0 : 1);
