// Examination. Gateways of one release beside those of the next, and back, as clients behind a load balancer see it: no request fails.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runAudit } from '../src/commands/audit.ts';
import { readDatabaseVersion } from '../src/db/schema/database-version.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { type Release, readRelease } from '../src/db/schema/release.ts';
import { openDatabase } from '../src/db/sql/client.ts';
import { startServer } from '../src/listener/server.ts';
import { createLogger } from '../src/logs/process-log.ts';
import { readSettings } from '../src/settings/settings.ts';
import { useDatabase } from './support/database.ts';
import { nextRelease } from './support/next-release.ts';
import { createSeed, uuidOf } from './support/seed.ts';

const database = useDatabase();
const { log } = createLogger({ level: 'silent' });

interface Member {
  readonly url: string;
  /** As a load balancer stops one: sends nothing more, then ends it. */
  leave(): Promise<void>;
}

const members: Member[] = [];

/** A gateway of a release, as it starts: it migrates if need be, and is sent requests when it is ready. */
async function join(release: Release): Promise<Member> {
  await migrate(database.target, { release });
  const db = openDatabase(database.target, { readConnections: 3, writeConnections: 4 });
  const { url, close } = await startServer({ settings: readSettings({ PLACEMENT_PORT: '0' }).settings, db, log });
  await expect.poll(async () => (await send(url, 'GET', '/readyz')).status).toBe(200);
  const member = {
    url,
    leave: async () => {
      members.splice(members.indexOf(member), 1);
      await sleep(100);
      await close();
      await db.close();
    },
  };
  members.push(member);
  return member;
}

function send(url: string, method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json' };
    const call = request(`${url}${path}`, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });
}

const claim = (name: string, provider: string) => ({
  query: `mutation($consumer: UUID!, $provider: UUID!) {
    replaceAllocations(input: {consumers: {consumer: $consumer, expect: {isNew: true}, project: "p", user: "u", consumerType: "INSTANCE",
      hold: {allocations: {resourceProvider: $provider, resources: [{resourceClass: "VCPU", amount: 1}]}}}}) {
      event { id } consumers { generation allocations { amount } } userErrors { code message } } }`,
  variables: { consumer: uuidOf(name), provider: uuidOf(provider) },
});
const reads = [
  '{ resourceProviders(first: 10) { nodes { name generation inventories { used capacity } traitNames } } }',
  '{ allocationCandidates(input: {groups: {resources: [{resourceClass: "VCPU", amount: 1}]}, limit: 5}) { candidates { root { name } } } }',
  '{ events(last: 5) { nodes { kind changes(first: 5) { nodes { __typename } } } } }',
  '{ consumers(first: 5, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { uuid allocations { amount } events(first: 1) { nodes { kind } } } } }',
];

test('a release is replaced by the next, and comes back, while clients claim and read', { timeout: 120_000 }, async () => {
  const providers = ['cn1', 'cn2', 'cn3'];
  for (const name of providers) await createSeed(database.db).provider(name, { inventories: { VCPU: 1_000_000 } });
  const release = readRelease();
  const next = nextRelease();
  const failures: string[] = [];
  let claimed = 0;
  let asked = 0;
  let stopped = false;
  const client = async (number: number) => {
    for (let round = 0; !stopped; round++) {
      const member = members[(number + round) % members.length];
      const isClaim = number % 2 === 0;
      const body = isClaim ? claim(`${number} ${round}`, providers[round % 3] ?? '') : { query: reads[round % reads.length] };
      asked++;
      try {
        const { status, text } = await send(member?.url ?? '', 'POST', '/graphql', body);
        const { data, errors } = JSON.parse(text) as { data?: Record<string, { userErrors?: unknown[] }>; errors?: unknown };
        if (status !== 200 || errors || data?.replaceAllocations?.userErrors?.length) failures.push(text);
        else if (isClaim) claimed++;
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const first = await join(release);
  const second = await join(release);
  const clients = Array.from({ length: 8 }, (_, number) => client(number));
  await sleep(1000);
  const newer = await join(next);
  await sleep(1000);
  // It starts again beside the newer one, and leaves the database as it is.
  await second.leave();
  const again = await join(release);
  await sleep(500);
  await first.leave();
  await again.leave();
  const newest = await join(next);
  await sleep(1000);
  const back = await join(release);
  await newest.leave();
  await newer.leave();
  await sleep(1000);
  stopped = true;
  await Promise.all(clients);
  await back.leave();

  expect([failures.length, failures.slice(0, 3)]).toEqual([0, []]);
  expect(claimed).toBeGreaterThan(100);
  expect(asked).toBeGreaterThan(claimed);
  expect((await readDatabaseVersion(database.db.sql))?.version).toBe(next.version);
  const [{ used } = { used: 0 }] = await database.db.sql<{ used: number }[]>`select sum(used)::int as used from inventories`;
  expect(used).toBe(claimed);
  expect(await runAudit(database.db, () => {})).toMatchObject({ differences: 0 });
});
