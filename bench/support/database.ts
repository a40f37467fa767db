// The database of a benchmark: on a separate embedded Postgres, or, with BENCH_DATABASE_URL, a new database on that server, which is
// dropped at the end. The URL names any database there and a role that may create others:
//   sudo -u postgres psql -c "create role bench createdb login password 'bench'"
//   BENCH_DATABASE_URL=postgres://bench:bench@localhost/postgres npm run bench:claims
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, connectionOptions, type DatabaseTarget } from '../../src/db/sql/client.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/postgres/launcher.ts';

export interface BenchDatabase<Target extends DatabaseTarget = DatabaseTarget> {
  readonly target: Target;
  stop(): Promise<void>;
}

/** A new database on the server of BENCH_DATABASE_URL; null without it. */
export async function createGivenDatabase(): Promise<BenchDatabase<{ readonly url: string }> | null> {
  const server = process.env.BENCH_DATABASE_URL;
  if (!server) return null;
  const name = `placement_bench_${randomUUID().slice(0, 8)}`;
  const url = new URL(server);
  url.pathname = name;
  const ask = async (statement: string) => {
    const sql = connect({ url: server }, { ...connectionOptions({ url: server }, {}), max: 1 });
    await sql.unsafe(statement).finally(() => sql.end());
  };
  await ask(`create database ${name}`);
  return { target: { url: url.href }, stop: () => ask(`drop database ${name}`) };
}

/** A database without tables and without a gateway. */
export async function startDatabase(options: Pick<EmbeddedPostgresOptions, 'durability'> = {}): Promise<BenchDatabase> {
  const given = await createGivenDatabase();
  if (given) return given;
  const dataDirectory = mkdtempSync(join(tmpdir(), 'placement-bench-'));
  const { target, stop } = await startEmbeddedPostgres({ dataDirectory, ...options });
  return {
    target,
    stop: async () => {
      await stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
