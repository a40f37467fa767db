// `bench`: how fast the gateway is on this machine, compared with known figures. Starts a gateway as a user would, on a temporary database: an embedded one or,
// if asked, a schema in a given database. Calls it over HTTP, from this process, so that the figures are of all three together.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropSchema } from '../db/schema/drop-schema.ts';
import type { Progress } from './phases/progress.ts';

export interface BenchOptions {
  /** The command that starts a gateway, without arguments. */
  readonly program: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The server of the database; null for an embedded one. */
  readonly databaseUrl: string | null;
  readonly print: (line: string) => void;
  readonly progress: Progress;
  /** The duration of each measurement. Default: 8. */
  readonly seconds?: number;
}

export interface BenchReport {
  readonly processors: number;
  readonly database: 'embedded' | 'given';
  readonly measured: readonly Measurement[];
}

export interface Measurement {
  readonly name: string;
  /** Requests per second. */
  readonly rate: number;
  /** Milliseconds from the request to the end of the answer. */
  readonly median: number;
  readonly p99: number;
  /** The known rate, and the rate of this machine in relation to it. */
  readonly known: number;
  readonly ratio: number;
}

/** The number of concurrent requests, over persistent connections. */
const inFlight = 8;
const warmUp = 1.5;

/** Rates of a virtual machine with two cores, shared by the gateway, the embedded database and `bench`; means of two runs. */
const known = { searches: 4500, claims: 2290, alone: 680, lists: 3490, graphql: 900 } as const;

export async function runBench({ environment, databaseUrl, seconds = 8, ...options }: BenchOptions): Promise<BenchReport> {
  const { program, print, progress } = options;
  const directory = mkdtempSync(join(tmpdir(), 'placement-bench-'));
  const schema = `placement_bench_${randomBytes(4).toString('hex')}`;
  print(
    databaseUrl === null
      ? 'starting a gateway on a temporary database'
      : `starting a gateway in the schema ${schema}, which is dropped at the end`,
  );
  const gateway = await startGateway(program, {
    ...withoutOurs(environment),
    ...{
      PLACEMENT_DATA_DIR: directory,
      PLACEMENT_PORT: '0',
      PLACEMENT_LOG_LEVEL: 'warn',
      PLACEMENT_CALLER_COST: '*=none',
      PLACEMENT_CALLER_REQUESTS: '*=none',
    },
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl, PLACEMENT_DATABASE_SCHEMA: schema }),
  });
  const client = new Client(gateway.url);
  try {
    const ways = await waysToAsk(client);
    const measured: Measurement[] = [];
    for (const [place, { name, key, atOnce, ask }] of ways.entries()) {
      const show = (part: number) => progress.at('bench', Math.round((place + part) * 100), ways.length * 100);
      await repeat(ask, atOnce, Math.min(warmUp, seconds), () => {});
      const times = (await repeat(ask, atOnce, seconds, show)).sort((one, other) => one - other);
      const at = (share: number) => round(times[Math.floor(times.length * share)] ?? 0);
      const rate = round(times.length / seconds);
      const one = { name, rate, median: at(0.5), p99: at(0.99), known: known[key], ratio: round(rate / known[key], 100) };
      measured.push(one);
      print(`${name}: ${one.rate} a second (median ${one.median} ms, p99 ${one.p99} ms), ${one.ratio} of the known ${one.known}`);
    }
    return { processors: availableParallelism(), database: databaseUrl === null ? 'embedded' : 'given', measured };
  } finally {
    client.close();
    await gateway.stop();
    if (databaseUrl !== null) await dropSchema({ url: databaseUrl, schema });
    rmSync(directory, { recursive: true, force: true });
  }
}

const round = (value: number, parts = 10) => Math.round(value * parts) / parts;

/** The environment without the settings of another gateway of this machine. */
function withoutOurs(environment: BenchOptions['environment']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(PLACEMENT|DATABASE)_/.test(name)));
}

interface Way {
  readonly name: string;
  readonly key: keyof typeof known;
  readonly atOnce: number;
  readonly ask: () => Promise<unknown>;
}

/** The calls to measure, on the demo cloud with 200 hosts and 2,000 consumers; claims go to hosts that never fill up. */
async function waysToAsk(client: Client): Promise<Way[]> {
  const hosts = await Promise.all(
    Array.from({ length: 50 }, async (_, number) => {
      const uuid = randomUUID();
      await client.ask('POST', '/placement/resource_providers', { name: `bench ${number}`, uuid });
      const inventories = { VCPU: { total: 2_000_000_000 }, MEMORY_MB: { total: 2_000_000_000 } };
      await client.ask('PUT', `/placement/resource_providers/${uuid}/inventories`, { resource_provider_generation: 0, inventories });
      return uuid;
    }),
  );
  const claim = () => {
    const host = hosts[Math.floor(Math.random() * hosts.length)] ?? '';
    const allocations = { [host]: { resources: { VCPU: 1, MEMORY_MB: 256 } } };
    const owner = { project_id: 'bench', user_id: 'bench', consumer_type: 'INSTANCE', consumer_generation: null };
    return client.ask('PUT', `/placement/allocations/${randomUUID()}`, { allocations, ...owner });
  };
  const query = '{ resourceProviders(first: 50) { nodes { name inventories { resourceClass { name } capacity used } } } }';
  const search = '/placement/allocation_candidates?resources=VCPU:1,MEMORY_MB:256&limit=10';
  return [
    { name: 'searches for candidates (REST)', key: 'searches', atOnce: inFlight, ask: () => client.ask('GET', search) },
    { name: 'claims (REST)', key: 'claims', atOnce: inFlight, ask: claim },
    { name: 'claims, one at a time', key: 'alone', atOnce: 1, ask: claim },
    {
      name: 'lists of all providers (REST)',
      key: 'lists',
      atOnce: inFlight,
      ask: () => client.ask('GET', '/placement/resource_providers'),
    },
    {
      name: 'lists of 50 providers with inventories (GraphQL)',
      key: 'graphql',
      atOnce: inFlight,
      ask: () => client.ask('POST', '/graphql', { query }),
    },
  ];
}

/** The milliseconds of each call, in no particular order. */
async function repeat(ask: Way['ask'], atOnce: number, seconds: number, show: (part: number) => void): Promise<number[]> {
  const times: number[] = [];
  const begun = performance.now();
  const over = () => (performance.now() - begun) / 1000 / seconds;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (over() < 1) {
        const since = performance.now();
        await ask();
        times.push(performance.now() - since);
        show(Math.min(1, over()));
      }
    }),
  );
  return times;
}

class Client {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: inFlight });

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects unless the answer is a success. */
  ask(method: string, path: string, body?: object): Promise<void> {
    const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#url}${path}`, { method, headers, agent: this.#agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('error', reject).on('end', () => {
          if ((answer.statusCode ?? 500) < 300) resolve();
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
        });
      });
      asked.on('error', reject).end(body && JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function startGateway(
  [command, ...args]: BenchOptions['program'],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(command, [...args, 'serve', '--demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      const [found] = /http:\S+(?=\/graphql)/.exec(said) ?? [];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error('the gateway did not start')), reject);
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
