// Examination. Consumers that expire, over gateways as processes: what one of them has claimed, another releases.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, socketOf, type TestDatabase } from '../support/database.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { program } from '../support/program.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

let database: TestDatabase;
let wire: FailingWire;
const started: ChildProcess[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  wire = await layFailingWire(socketOf(database.target));
  await createSeed(database.db).provider('cn1', { inventories: { VCPU: 100 } });
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(kill));
  await wire.close();
  await database.drop();
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function start(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const environment = {
    PATH: process.env.PATH,
    HOME: tmpdir(),
    PLACEMENT_PORT: '0',
    DATABASE_URL: 'url' in wire.target ? wire.target.url : '',
  };
  const child = spawn(process.execPath, [program], { env: environment });
  started.push(child);
  let said = '';
  let complaints = '';
  child.stderr.on('data', (bytes) => {
    complaints += String(bytes);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      said += String(bytes);
      const [found] = /http:\S+\/graphql/.exec(said) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`it ended: ${complaints}`)));
  });
  return { child, url };
}

async function claim(url: string, name: string, afterSeconds: number): Promise<unknown> {
  const query = `mutation { replaceAllocations(input: { consumers: [{
    consumer: "${uuidOf(name)}", expect: { isNew: true }, project: "p", user: "u", expiry: { afterSeconds: ${afterSeconds} }
    hold: { allocations: [{ resourceProvider: "${uuidOf('cn1')}", resources: [{ resourceClass: "VCPU", amount: 1 }] }] } }] }) { userErrors { message } } }`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': 'admin' },
    body: JSON.stringify({ query }),
  });
  return answer.json();
}

test('a gateway releases what another claimed before it was killed, once, and nothing else', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  const done = { data: { replaceAllocations: { userErrors: [] } } };
  expect(await claim(one.url, 'soon', 2)).toEqual(done);
  expect(await claim(one.url, 'later', 3600)).toEqual(done);
  await kill(one.child);
  const left = async () => (await database.own<{ uuid: string }[]>`select uuid from consumers`).map(({ uuid }) => uuid);
  while ((await left()).includes(uuidOf('soon'))) await sleep(50);
  expect(await left()).toEqual([uuidOf('later')]);
  const events = await database.own`select kind from events where ${uuidOf('soon')}::uuid = any(consumer_uuids) order by id`;
  expect(events).toMatchObject([{ kind: 'REPLACE_ALLOCATIONS' }, { kind: 'RELEASE_EXPIRED' }]);
  expect(other.child.exitCode).toBeNull();
  await expectSoundLedger(database.db);
});
