// A gateway in a separate process that is killed at a certain stage of a mutation, and the session of a gateway that is cut off likewise.
// Knows nothing of what is written.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Gateway as GatewayProcess } from '../torture/gateways.ts';
import { socketOf, type TestDatabase } from './database.ts';
import { freshDice } from './dice.ts';
import { mutationOf } from './mutations.ts';

/** A mutation as it is sent; its input has the key. */
export interface SentMutation {
  readonly mutation: string;
  readonly input: { readonly idempotencyKey: string };
  readonly fields: string;
}

const roll = freshDice('deaths');

interface Sent {
  /** The request has ended or was aborted. */
  isOver: boolean;
}

/** Sends an operation whose answer does not matter. */
function begin(run: () => Promise<unknown>): Sent {
  const sent = { isOver: false };
  void run()
    .catch(() => {})
    .finally(() => {
      sent.isOver = true;
    });
  return sent;
}

const until = (isSo: () => Promise<boolean>) => expect.poll(isSo).toBe(true);

/** For each stage, the table that a mutation then waits for. */
export const tablesWaitedFor = {
  'before it has its key': 'idempotency_keys',
  'before it locks providers': 'resource_providers',
  'before it allocates': 'allocations',
  'before it writes its event': 'events',
  'before it tells readers of the change': 'provider_changes',
} as const;

/** Sends a mutation and calls `strike` while it waits for a table, which it then gets. A mutation that does not use the table just ends. */
async function strikeWaitingFor(
  { own }: TestDatabase,
  table: string,
  run: () => Promise<unknown>,
  strike: (waiting: readonly number[]) => Promise<unknown>,
): Promise<Sent> {
  return own.begin(async (sql) => {
    await sql.unsafe(`lock table ${table} in exclusive mode`);
    const sent = begin(run);
    const waiting = async () => {
      const rows = await own<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.map(({ pid }) => pid);
    };
    await until(async () => sent.isOver || (await waiting()).length > 0);
    await strike(await waiting());
    return sent;
  });
}

/** Cuts off the sessions that wait for a table, and waits until the gateway has answered as well as it can. Returns their number. */
export async function cutOffWaitingFor(database: TestDatabase, table: string, run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const sent = await strikeWaitingFor(database, table, run, async (waiting) => {
    for (const pid of waiting) await database.own`select pg_terminate_backend(${pid})`;
    count = waiting.length;
  });
  await until(async () => sent.isOver);
  return count;
}

/** The gateway to be killed. */
export class Victim {
  readonly #database: TestDatabase;
  readonly #process: GatewayProcess;

  private constructor(database: TestDatabase, process: GatewayProcess) {
    this.#database = database;
    this.#process = process;
  }

  static async start(database: TestDatabase): Promise<Victim> {
    const process = await GatewayProcess.lay(socketOf(database.target));
    await process.start();
    return new Victim(database, process);
  }

  /** Sends the mutation, and kills the gateway at the moment of this name. */
  async dieDoing(call: SentMutation, moment: string): Promise<void> {
    const run = this.#moments[moment];
    if (!run) throw new Error(`the moment "${moment}" is unknown`);
    await run(call);
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  async #send({ mutation, input, fields }: SentMutation): Promise<void> {
    const body = JSON.stringify({ query: mutationOf(mutation, fields), variables: { input } });
    const headers = { 'content-type': 'application/json', 'x-auth-token': 'admin' };
    await (await fetch(`${this.#process.url}/graphql`, { method: 'POST', headers, body })).text();
  }

  readonly #kill = () => this.#process.end('SIGKILL');

  readonly #moments: Readonly<Record<string, (call: SentMutation) => Promise<unknown>>> = {
    'before the database hears of it': async (call) => {
      const { wire } = this.#process;
      wire.silence();
      wire.swallow(true);
      begin(() => this.#send(call));
      await sleep(100);
      await this.#kill();
      wire.mend();
    },
    ...Object.fromEntries(
      Object.entries(tablesWaitedFor).map(([moment, table]) => [
        moment,
        (call: SentMutation) => strikeWaitingFor(this.#database, table, () => this.#send(call), this.#kill),
      ]),
    ),
    'after the commit, before the answer': async (call) => {
      const { wire } = this.#process;
      wire.delay(60_000);
      const sent = begin(() => this.#send(call));
      const { idempotencyKey } = call.input;
      const isKept = async () => (await this.#database.own`select from idempotency_keys where key = ${idempotencyKey}`).length > 0;
      await until(async () => sent.isOver || (await isKept()));
      await this.#kill();
      wire.delay(0);
    },
    'at some moment': async (call) => {
      begin(() => this.#send(call));
      await sleep(roll(40));
      await this.#kill();
    },
  };
}

/** In the order in which a mutation reaches them. */
export const momentsOfDeath: readonly string[] = [
  'before the database hears of it',
  ...Object.keys(tablesWaitedFor),
  'after the commit, before the answer',
  'at some moment',
];
