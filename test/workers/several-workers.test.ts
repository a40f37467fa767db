// Examination, waiting. A gateway of several processes, as operators and clients see it: real processes, real signals, clients that keep their connections.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { addToken, revokeToken } from '../../src/commands/token.ts';
import { createTestDatabase, socketOf, type TestDatabase } from '../support/database.ts';
import { type FailingWire, layFailingWire } from '../support/failing-wire.ts';
import { program } from '../support/program.ts';
import { createSeed, uuidOf } from '../support/seed.ts';

// Each process loads the program, beside those of other tests.
const patience = 120_000;
const started: ChildProcess[] = [];
let database: TestDatabase;
let wire: FailingWire;
let temporary: string;
beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'workers-'));
  database = await createTestDatabase();
  wire = await layFailingWire(socketOf(database.target));
  await createSeed(database.db).provider('cn1', { inventories: { VCPU: 1_000_000 } });
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode === null) child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  await wire.close();
  await database.drop();
  await rm(temporary, { recursive: true });
});

interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly worker?: number;
  readonly pid?: number;
  readonly mebibytes?: number;
}

class Gateway {
  readonly log: LogLine[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly url: Promise<string>;
  #rest = '';
  complaints = '';

  constructor(args: readonly string[] = []) {
    this.child = spawn(process.execPath, [program, '--workers', '2', ...args], {
      env: {
        ...{ PATH: process.env.PATH, HOME: tmpdir(), TMPDIR: temporary, PLACEMENT_PORT: '0' },
        DATABASE_URL: 'url' in wire.target ? wire.target.url : '',
      },
    });
    started.push(this.child);
    this.child.stderr?.on('data', (bytes) => this.#read(String(bytes)));
    this.ended = once(this.child, 'exit').then(([code]) => code as number | null);
    let said = '';
    this.url = new Promise((resolve, reject) => {
      this.child.stdout?.on('data', (bytes) => {
        said += String(bytes);
        const [url] = /http:\S+(?=\/graphql)/.exec(said) ?? [];
        if (url) resolve(url);
      });
      void this.ended.then(() => reject(new Error(`it ended: ${this.complaints}`)));
    });
    this.url.catch(() => {});
  }

  /** Those of the processes that serve, by the numbers of the workers. */
  pidsOf(number: number): number[] {
    return this.log.flatMap(({ msg, worker, pid }) => (msg === 'a worker serves' && worker === number && pid !== undefined ? [pid] : []));
  }

  /** The process that writes the claims of all workers. */
  async writer(): Promise<number> {
    const last = () => this.log.findLast(({ msg }) => msg === 'this worker writes the claims of all')?.pid;
    await eventually(() => last() !== undefined);
    return last() ?? 0;
  }

  has(message: string): boolean {
    return this.log.some(({ msg }) => msg === message);
  }

  #read(bytes: string): void {
    const lines = (this.#rest + bytes).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('{')) this.log.push(JSON.parse(line) as LogLine);
      else this.complaints += line;
    }
  }
}

interface Load {
  /** Consumers whose allocations were acknowledged. */
  readonly acknowledged: string[];
  /** Why requests failed. */
  readonly failures: string[];
  stop(): Promise<void>;
}

/** Clients that claim one after another, each on a connection that it keeps. */
function claimAllTheTime(url: string, clients = 6): Load {
  const [acknowledged, failures]: [string[], string[]] = [[], []];
  let isOver = false;
  const headers = { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' };
  const claim = (agent: Agent) =>
    new Promise<void>((resolve) => {
      const consumer = randomUUID();
      const fail = (why: string) => {
        failures.push(why);
        resolve();
      };
      const request = httpRequest(`${url}/placement/allocations/${consumer}`, { method: 'PUT', headers, agent }, (response) => {
        let said = '';
        response.on('data', (bytes) => {
          said += String(bytes);
        });
        response.on('error', (error) => fail(error.message));
        response.on('end', () => {
          if (response.statusCode !== 204) return fail(`${response.statusCode} ${said}`);
          acknowledged.push(consumer);
          resolve();
        });
      });
      request.on('error', (error) => fail(error.message));
      const allocations = { [uuidOf('cn1')]: { resources: { VCPU: 1 } } };
      const who = { project_id: 'p', user_id: 'u', consumer_type: 'INSTANCE' };
      request.end(JSON.stringify({ allocations, consumer_generation: null, ...who }));
    });
  const all = Promise.all(
    Array.from({ length: clients }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) await claim(agent);
      agent.destroy();
    }),
  );
  return {
    acknowledged,
    failures,
    stop: async () => {
      isOver = true;
      await all;
    },
  };
}

async function expectWritten(consumers: readonly string[]): Promise<void> {
  const rows = await database.own<{ uuid: string }[]>`select uuid from consumers where uuid = any(${consumers as string[]}::uuid[])`;
  expect(rows).toHaveLength(consumers.length);
}

const eventually = (isSo: () => boolean) => expect.poll(isSo, { timeout: patience }).toBe(true);
const isOfDead = (failure: string) => /ECONNRESET|EPIPE|socket hang up|^503 .*outcome of the write/.test(failure);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a killed worker is started again, the others keep serving, and nothing acknowledged is lost', { timeout: 3 * patience }, async () => {
  const gateway = new Gateway();
  const url = await gateway.url;
  expect(gateway.log.find(({ mebibytes }) => mebibytes !== undefined)?.mebibytes).toBeGreaterThan(100);
  const load = claimAllTheTime(url);
  await eventually(() => load.acknowledged.length > 50);
  const [victim = 0] = gateway.pidsOf(1);
  process.kill(victim, 'SIGKILL');
  await eventually(() => gateway.has('a worker died; it is started again'));
  const then = load.acknowledged.length;
  await eventually(() => load.acknowledged.length > then + 50);
  await eventually(() => gateway.pidsOf(1).length === 2);
  await load.stop();
  // Only connections that the dead one had, or was just given, broke; and nobody knows of the claims of others that it was writing.
  expect(load.failures.filter((why) => !isOfDead(why))).toEqual([]);
  await expectWritten(load.acknowledged);
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
  expect(gateway.pidsOf(2)).toHaveLength(1);
  // A second time, in order: everything that was asked for is answered, and all processes end.
  const workers = [...gateway.pidsOf(1).slice(1), ...gateway.pidsOf(2)];
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(workers.filter(isAlive)).toEqual([]);
  // Nor are there sockets left on which they spoke.
  expect((await readdir(temporary)).filter((name) => name.startsWith('placement-gateway-'))).toEqual([]);
});

test('a worker whose event loop is blocked is killed and started again, and its counts stay in the sums', {
  timeout: 3 * patience,
}, async () => {
  const gateway = new Gateway();
  const url = await gateway.url;
  const load = claimAllTheTime(url);
  await eventually(() => load.acknowledged.length > 50);
  await load.stop();
  // A sum of all means that each has told what it counted.
  const answers = `placement_answers_total{surface="rest",status="204"} ${load.acknowledged.length}\n`;
  const metrics = async () => (await fetch(`${url}/metrics`, { headers: { 'x-auth-token': 'admin' } })).text();
  await expect.poll(metrics, { timeout: patience }).toContain(answers);
  const [victim = 0] = gateway.pidsOf(1);
  process.kill(victim, 'SIGSTOP');
  await eventually(() => gateway.has('a worker gives no sign of life; it is killed'));
  await eventually(() => gateway.pidsOf(1).length === 2);
  expect(gateway.pidsOf(2)).toHaveLength(1);
  expect(await metrics()).toContain(answers);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
});

test('one worker writes the claims of all, and answers the others until it has gone', { timeout: 3 * patience }, async () => {
  const gateway = new Gateway();
  const url = await gateway.url;
  const writer = await gateway.writer();
  const load = claimAllTheTime(url, 16);
  await eventually(() => load.acknowledged.length > 500);
  // Killed, it takes with it what it was writing: of that nobody knows. All else is written.
  process.kill(writer, 'SIGKILL');
  await eventually(() => gateway.has('a worker died; it is started again'));
  const then = load.acknowledged.length;
  await eventually(() => load.acknowledged.length > then + 100);
  await load.stop();
  expect(load.failures.filter((why) => !isOfDead(why))).toEqual([]);
  await expectWritten(load.acknowledged);
  expect(await gateway.writer()).not.toBe(writer);
  const metrics = await (await fetch(`${url}/metrics`, { headers: { 'x-auth-token': 'admin' } })).text();
  const [claims = 0, calls = 0] = ['sum', 'count'].map((part) =>
    Number(new RegExp(`^placement_claims_per_call_${part} (.*)$`, 'm').exec(metrics)?.[1] ?? 0),
  );
  expect(claims / calls).toBeGreaterThan(2);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
});

test('when the worker that writes claims is blocked, the others abandon it and write their own', { timeout: 3 * patience }, async () => {
  const gateway = new Gateway();
  const url = await gateway.url;
  const load = claimAllTheTime(url);
  await eventually(() => load.acknowledged.length > 50);
  process.kill(await gateway.writer(), 'SIGSTOP');
  await eventually(() => load.failures.length > 0);
  const then = load.acknowledged.length;
  await eventually(() => load.acknowledged.length > then + 100);
  // Long before it is killed for its silence, with the connections that it has.
  expect(gateway.has('a worker gives no sign of life; it is killed')).toBe(false);
  expect(load.failures.filter((why) => !/^503 .*outcome of the write/.test(why))).toEqual([]);
  await eventually(() => gateway.has('a worker gives no sign of life; it is killed'));
  await load.stop();
  await expectWritten(load.acknowledged);
});

test('a connection that was handed to a worker which is killed before it takes it breaks, instead of waiting for ever', {
  timeout: 3 * patience,
}, async () => {
  const gateway = new Gateway();
  const url = await gateway.url;
  await eventually(() => gateway.pidsOf(1).length === 1);
  const victim = gateway.pidsOf(1)[0] as number;
  process.kill(victim, 'SIGSTOP');
  const outcomes: string[] = [];
  for (let connection = 0; connection < 6; connection++) {
    const request = httpRequest(`${url}/readyz`, { agent: new Agent() }, (response) => {
      response.resume();
      response.on('end', () => outcomes.push('answered'));
    });
    request.on('error', ({ message }) => outcomes.push(message));
    request.end();
  }
  await eventually(() => outcomes.length === 5);
  expect(outcomes).toEqual(Array(5).fill('answered'));
  process.kill(victim, 'SIGKILL');
  await eventually(() => outcomes.length === 6);
  expect(outcomes.at(-1)).toMatch(/ECONNRESET|socket hang up/);
});

test('on SIGHUP all workers are replaced without a failed request, and WebSockets are told to connect again', {
  timeout: 3 * patience,
}, async () => {
  const gateway = new Gateway();
  const url = await gateway.url;
  const sockets = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const closed = once(socket, 'close').then(([code]) => code as number);
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-auth-token': 'admin' } }));
      await once(socket, 'message');
      return { closed };
    }),
  );
  const load = claimAllTheTime(url);
  await eventually(() => load.acknowledged.length > 50);
  gateway.child.kill('SIGHUP');
  await eventually(() => gateway.has('the workers have been replaced'));
  const then = load.acknowledged.length;
  await eventually(() => load.acknowledged.length > then + 20);
  await load.stop();
  expect(load.failures).toEqual([]);
  await expectWritten(load.acknowledged);
  // Any worker tells what all have done, those included that are gone.
  const metrics = async () => (await fetch(`${url}/metrics`, { headers: { 'x-auth-token': 'admin' } })).text();
  const answers = `placement_answers_total{surface="rest",status="204"} ${load.acknowledged.length}\n`;
  await expect.poll(metrics, { timeout: patience }).toContain(answers);
  expect(await metrics()).toContain('placement_workers 2\n');
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([1012, 1012, 1012, 1012]);
  for (const number of [1, 2]) {
    const [before = 0, after = 0] = gateway.pidsOf(number);
    expect([isAlive(before), isAlive(after)]).toEqual([false, true]);
  }
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
});

test('all workers together open no more connections than the gateway may', { timeout: patience }, async () => {
  const gateway = new Gateway(['--read-connections', '4']);
  const url = await gateway.url;
  await database.own.begin(async (sql) => {
    await sql`lock table traits in access exclusive mode`;
    const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
    const asked = Array.from({ length: 60 }, async () => (await fetch(`${url}/placement/traits`, { headers })).status);
    let isOver = false;
    const answered = Promise.all(asked).finally(() => {
      isOver = true;
    });
    // Each waits for the table until it is refused, on a connection that another one takes then.
    const waiting: number[] = [];
    while (!isOver) {
      const rows = await database.own`
        select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'traits' and datname = current_database()`;
      waiting.push(rows.length);
    }
    expect(new Set(await answered)).toEqual(new Set([503]));
    // For a moment, the server may still have a session that the gateway has left.
    const usual = waiting.filter((count) => count > 0).toSorted((one, other) => one - other);
    expect(usual.length).toBeGreaterThan(0);
    expect(usual[Math.floor(usual.length / 2)]).toBeLessThanOrEqual(4);
  });
});

test('a token that is revoked ends its WebSockets in every worker', { timeout: patience }, async () => {
  const path = join(temporary, 'tokens.json');
  const { token, added } = await addToken(path, { user: 'ann', project: 'operations', roles: ['admin'], expiresAt: null });
  const url = await new Gateway(['--auth', 'static', '--tokens-file', path]).url;
  const closed = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const end = once(socket, 'close').then(([code]) => code as number);
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-auth-token': token } }));
      await once(socket, 'message');
      return { end };
    }),
  );
  await revokeToken(path, added.id);
  expect(await Promise.all(closed.map(({ end }) => end))).toEqual([4401, 4401, 4401, 4401]);
});

test('a gateway whose workers cannot listen ends and says why', { timeout: patience }, async () => {
  const other = new Gateway();
  const { port } = new URL(await other.url);
  const gateway = new Gateway(['--port', port]);
  expect(await gateway.ended).toBe(1);
  expect(gateway.complaints).toContain('EADDRINUSE');
});
