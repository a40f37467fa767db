// Subscribers to the map of the cloud beside claims: the cost of 200 of them for the gateway, the bytes that each receives, and whether claims keep their rate.
// Claims are written at a steady rate over 10,000 hosts, alternately with and without subscribers.
//   npm run bench:live               LIVE_SUBSCRIBERS=50 LIVE_CLAIMS=1000 BENCH_SECONDS=5 npm run bench:live
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../src/db/sql/client.ts';
import { submitClaim } from './support/direct-claims.ts';
import { fillHosts } from './support/fill.ts';
import { startGateway } from './support/gateway.ts';
import { httpClient } from './support/http-client.ts';
import type { Subscribed } from './support/live-subscribers.ts';
import { median } from './support/measure.ts';

const subscriberCount = Number(process.env.LIVE_SUBSCRIBERS ?? 200);
const claimsPerSecond = Number(process.env.LIVE_CLAIMS ?? 2000);
const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const rounds = Number(process.env.BENCH_ROUNDS ?? 4);
const hostCount = 10_000;

const gateway = await startGateway();
const db = openDatabase(gateway.database, { writeConnections: gateway.writeConnections });
const client = httpClient(gateway.url, { 'x-auth-token': 'admin', 'content-type': 'application/json' });

async function askCursor(): Promise<string> {
  const query = '{ cloudMap(resourceClasses: []) { cursor } }';
  const { body } = await client.request('POST', '/graphql', JSON.stringify({ query }));
  return (JSON.parse(body) as { data: { cloudMap: { cursor: string } } }).data.cloudMap.cursor;
}

/** Subscribers in a separate process. */
async function subscribe(after: string): Promise<ChildProcess> {
  const told: Subscribed = { url: gateway.url, after, count: subscriberCount };
  const path = fileURLToPath(new URL('./support/live-subscribers.ts', import.meta.url));
  const worker = fork(path, [JSON.stringify(told)], { execArgv: ['--import', 'tsx'] });
  await once(worker, 'message');
  return worker;
}

/** Bytes that all subscribers have received since the last call. */
async function receivedBy(worker: ChildProcess): Promise<number> {
  worker.send('how much');
  const [bytes] = await once(worker, 'message');
  return Number(bytes);
}

/** Milliseconds of processor time that the gateway has used, including Node's threads for compression and garbage collection. */
function processorTime(): number {
  const fields = readFileSync(`/proc/${gateway.process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // In ticks of a hundredth of a second: user and system time.
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

interface Measured {
  /** The share of one core. */
  readonly share: number;
  readonly claims: number;
}

/** Claims that bypass the gateway, so that its processor time is that of the subscribers. */
async function measure(): Promise<Measured> {
  const [before, began] = [processorTime(), performance.now()];
  let claims = 0;
  const loops = Array.from({ length: 32 }, async () => {
    for (;;) {
      const elapsed = performance.now() - began;
      if (elapsed > seconds * 1000) return;
      if (claims >= (elapsed / 1000) * claimsPerSecond) await pause(1);
      else {
        claims += 1;
        await submitClaim(db, randomUUID(), hosts[Math.floor(Math.random() * hosts.length)] ?? '');
      }
    }
  });
  await Promise.all(loops);
  const elapsed = performance.now() - began;
  return { share: (processorTime() - before) / elapsed, claims: (claims / elapsed) * 1000 };
}

let hosts: readonly string[] = [];
try {
  await fillHosts(db, hostCount);
  await db.writes`update inventories set used = 0, total = 1000000`;
  hosts = (await db.writes<{ uuid: string }[]>`select uuid from resource_providers where parent_provider_id is null`).map(
    ({ uuid }) => uuid,
  );
  await measure();
  const alone: Measured[] = [];
  const watched: (Measured & { readonly bytes: number })[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await measure());
    const worker = await subscribe(await askCursor());
    await pause(1500);
    await receivedBy(worker);
    const measured = await measure();
    watched.push({ ...measured, bytes: (await receivedBy(worker)) / subscriberCount / seconds });
    worker.kill();
    await pause(500);
  }
  const share = median(watched.map((one) => one.share)) - median(alone.map((one) => one.share));
  const ratio = median(watched.map((one, index) => one.claims / (alone[index]?.claims ?? Number.NaN)));
  console.log(
    `${subscriberCount} subscribers, ${median(watched.map(({ claims }) => claims)).toFixed(0)} claims/s: ${(100 * share).toFixed(1)} % of a core for all of them, ` +
      `${(median(watched.map(({ bytes }) => bytes)) / 1000).toFixed(0)} kB/s for each; claims ${ratio.toFixed(2)} of their rate without`,
  );
} finally {
  client.close();
  await db.close();
  await gateway.stop();
}
