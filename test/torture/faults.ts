// What goes wrong during a run: one fault after the other, drawn from a seed, each lasting a moment and undone before the next. Knows processes, wires and
// sessions of the database.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import type { Dice } from '../support/dice.ts';
import { failures } from '../support/failing-wire.ts';
import { pick } from './cloud.ts';
import type { Database, Gateway } from './gateways.ts';
import { connectTo } from './ledger-rows.ts';

export interface Scene {
  readonly roll: Dice;
  readonly gateways: readonly Gateway[];
  readonly database: Database;
}

type Fault = (scene: Scene) => Promise<void>;
const fullDisk = 'fill the disk';

/** Without encryption a changed value in an answer looks like any other. What changed bytes must not do is shown in test/db/sql/pool.test.ts. */
const honest = failures.filter((failure) => failure !== 'garble');

const gatewayIn = ({ roll, gateways }: Scene) => pick(roll, gateways);
const moment = ({ roll }: Scene, most = 1500) => sleep(200 + roll(most));

/** As the administrator of the database server. */
async function administer(database: Database, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = connectTo(database.address, 1);
  try {
    await work(sql);
  } catch {
    // The server may be away.
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
}

/**
 * Waits until a server that ends all sessions, or starts again, has none left that began before. Until then a gateway may still be ready because of an old one
 * that is about to end.
 */
async function recovers(database: Database): Promise<void> {
  const killed = new Date();
  const end = performance.now() + 60_000;
  for (let isOver = false; !isOver; ) {
    if (performance.now() > end) throw new Error('the database server has not come back within a minute');
    await sleep(100);
    await administer(database, async (sql) => {
      const old = await sql`select from pg_stat_activity where backend_type = 'client backend' and backend_start < ${killed}`;
      isOver = old.length === 0;
    });
  }
}

const faults: Readonly<Record<string, Fault>> = {
  'kill a gateway': async (scene) => {
    const gateway = gatewayIn(scene);
    await gateway.end('SIGKILL');
    await gateway.start();
  },
  'restart a gateway in good order': async (scene) => {
    const gateway = gatewayIn(scene);
    await gateway.end('SIGTERM');
    await gateway.start();
  },
  'stop a gateway for a while': async (scene) => {
    const gateway = gatewayIn(scene);
    gateway.signal('SIGSTOP');
    await moment(scene, 4000);
    gateway.signal('SIGCONT');
  },
  'let a clock jump': async (scene) => gatewayIn(scene).signal('SIGUSR2'),
  [fullDisk]: async (scene) => {
    const { disk } = scene.database;
    disk?.fill();
    await moment(scene);
    disk?.free();
  },
  'cut all connections': async (scene) => {
    for (let times = 1 + scene.roll(5); times > 0; times -= 1) {
      gatewayIn(scene).wire.cut();
      await sleep(scene.roll(200));
    }
  },
  'fail new connections at some byte': async (scene) => {
    const { wire } = gatewayIn(scene);
    wire.failAt(scene.roll(4000), pick(scene.roll, honest));
    wire.cut();
    await moment(scene);
    wire.mend();
  },
  'fall silent': async (scene) => {
    gatewayIn(scene).wire.silence();
    await moment(scene, 3000);
  },
  'swallow everything': async (scene) => {
    const { wire } = gatewayIn(scene);
    wire.swallow(true);
    wire.silence();
    await moment(scene, 3000);
    wire.mend();
  },
  'delay every answer': async (scene) => {
    const { wire } = gatewayIn(scene);
    wire.delay(20 + scene.roll(300));
    await moment(scene, 3000);
    wire.delay(0);
  },
  'end sessions': async (scene) => {
    await administer(scene.database, async (sql) => {
      for (let times = 1 + scene.roll(8); times > 0; times -= 1) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> 'torture' and random() < 0.5`;
        await sleep(scene.roll(150));
      }
    });
  },
  'kill a session': async (scene) => {
    await administer(scene.database, async (sql) => {
      const [session] = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and application_name <> 'torture' order by random() limit 1`;
      // The server ends all sessions and recovers.
      if (session) process.kill(session.pid, 'SIGKILL');
    });
    await recovers(scene.database);
    await moment(scene);
  },
  'kill the database server': async (scene) => {
    const pid = scene.database.pid();
    if (pid) process.kill(pid, 'SIGKILL');
    await recovers(scene.database);
    await moment(scene);
  },
  'stop sessions for a while': async (scene) => {
    const stopped: number[] = [];
    await administer(scene.database, async (sql) => {
      const sessions = await sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and application_name <> 'torture' order by random() limit 6`;
      for (const { pid } of sessions) {
        process.kill(pid, 'SIGSTOP');
        stopped.push(pid);
      }
    });
    await moment(scene, 3000);
    for (const pid of stopped) {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It has ended meanwhile.
      }
    }
  },
  'hold a lock': async (scene) => {
    await administer(scene.database, (sql) =>
      sql.begin(async (held) => {
        if (scene.roll(3) === 0) await held`select pg_advisory_xact_lock(8778002)`;
        else {
          // In the order of the gateways, so that a deadlock would be theirs.
          await held`select from resource_providers where id in (select id from resource_providers order by random() limit 2) order by id for update`;
        }
        await moment(scene, 5000);
      }),
    );
  },
  'take all free connections': async (scene) => {
    const hoard: Sql[] = [];
    for (let count = 0; count < 120; count += 1) {
      const sql = connectTo(scene.database.address, 1);
      hoard.push(sql);
      const got = await sql`select 1`.then(
        () => true,
        () => false,
      );
      if (!got) break;
    }
    gatewayIn(scene).wire.cut();
    await moment(scene);
    await Promise.all(hoard.map((sql) => sql.end({ timeout: 1 }).catch(() => {})));
  },
};

/** Draws faults until the time is over. Returns how often each was applied. */
export async function spoil(scene: Scene, isOver: () => boolean): Promise<Record<string, number>> {
  const applied: Record<string, number> = {};
  const possible = Object.keys(faults).filter((name) => name !== fullDisk || scene.database.disk);
  if (!scene.database.disk) console.log('no full disk in this run: this user may not mount one');
  let deck: string[] = [];
  while (!isOver()) {
    // Each once, in random order, before any comes again.
    if (deck.length === 0) deck = possible;
    const name = pick(scene.roll, deck);
    deck = deck.filter((other) => other !== name);
    await faults[name]?.(scene);
    applied[name] = (applied[name] ?? 0) + 1;
    await sleep(scene.roll(600));
  }
  return applied;
}
