// Examination. Walks "Stand in front of it" of docs/replacing-upstream.md: starts the gateway and types the commands as they stand there, while a client claims.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBridgeStatus } from '../../src/bridge/switching.ts';
import { countNotes, selectReads } from '../../src/db/bridge.ts';
import { createTestDatabase, socketOf, type TestDatabase } from '../support/database.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { program } from '../support/program.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

let [here, there]: [TestDatabase, TestDatabase] = [] as never;
let other: Gateway;
let wire: FailingWire;
let front: ChildProcess | null = null;
const bugs: string[] = [];

beforeEach(async () => {
  [here, there] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  other = await startGateway(there, 'jit', (line) => bugs.push(line));
  wire = await layFailingWire(socketOf(here.target));
});
afterEach(async () => {
  if (front) {
    front.kill('SIGTERM');
    if (front.exitCode === null) await once(front, 'exit');
  }
  await other.close();
  await wire.close();
  await Promise.all([here.drop(), there.drop()]);
  expect(bugs).toEqual([]);
});

const page = readFileSync(new URL('../../docs/replacing-upstream.md', import.meta.url), 'utf8');
const section = page.split('\n## ').find((part) => part.startsWith('Stand in front of it')) ?? '';
/** Commands with what they print, in the order of the page. */
const typed = [...section.matchAll(/```console\n([^`]+)```/g)].flatMap(([, block = '']) =>
  block
    .replace(/^ {3}/gm, '')
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...output] = text.trimEnd().split('\n');
      return { command, output: output.join('\n') };
    }),
);
const withoutFigures = (text: string) =>
  text
    .trimEnd()
    .replaceAll(/\d+(\.\d+)?/g, '#')
    .replaceAll(/http:\S+/g, 'URL');

test('each step does what the page says, and every claim is on both sides', async () => {
  await createSeed(there.db).provider('host', { inventories: { VCPU: 100 } });
  const DATABASE_URL = 'url' in wire.target ? wire.target.url : '';
  const base = {
    PATH: process.env.PATH,
    HOME: tmpdir(),
    DATABASE_URL,
    PLACEMENT_WORKERS: '2',
    PLACEMENT_IN_FRONT_OF_TOKEN: 'admin',
    PLACEMENT_LOG_LEVEL: 'error',
  };

  const start = /^ *PLACEMENT_IN_FRONT_OF=(\S+) placement-gateway (serve)$/m.exec(section);
  expect(start).not.toBeNull();
  const env = { ...base, PLACEMENT_PORT: '0', PLACEMENT_IN_FRONT_OF: other.url };
  front = spawn(process.execPath, [program, start?.[2] ?? ''], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: front?.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (found) resolve(found);
    });
  });
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };
  const claims: string[] = [];
  const claim = async () => {
    const uuid = uuidOf(`c${claims.length}`);
    const body = { allocations: { [uuidOf('host')]: { resources: { VCPU: 1 } } }, consumer_generation: null };
    const rest = { project_id: 'p1', user_id: 'u1', consumer_type: 'INSTANCE' };
    const answer = await fetch(`${url}/allocations/${uuid}`, { method: 'PUT', headers, body: JSON.stringify({ ...body, ...rest }) });
    expect(answer.status, await answer.text()).toBe(204);
    claims.push(uuid);
  };
  const held = async ({ own }: TestDatabase) => (await own`select uuid from consumers order by uuid`).map(({ uuid }) => uuid);

  await expect
    .poll(
      async () => {
        expect((await fetch(`${url}/allocation_candidates?resources=VCPU:1&limit=10`, { headers })).status).toBe(200);
        // A search that finds nothing here yet, because the host has not been read, chooses nothing.
        return (await selectReads(here.db)).some(({ choices }) => choices > 0);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  await claim();
  await expect.poll(async () => (await countNotes(here.db)).count).toBe(0);
  expect(typed.map(({ command }) => command.replace('placement-gateway bridge ', ''))).toEqual(['status', 'lead', 'follow', 'lead', 'end']);
  for (const { command, output } of typed) {
    const [name = '', ...args] = command.split(' ');
    expect(name).toBe('placement-gateway');
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env: base });
    expect(withoutFigures(stdout), command).toBe(withoutFigures(output));
    if (command.endsWith('end')) break;
    await claim();
    await expect.poll(() => held(there)).toEqual(claims.toSorted());
    await expect.poll(() => held(here)).toEqual(claims.toSorted());
  }
  await claim();
  expect(await held(here)).toEqual(claims.toSorted());
  expect(await held(there)).toEqual(claims.slice(0, -1).toSorted());
  expect((await readBridgeStatus(here.db))?.mode).toBe('ended');
});
