// A standby of a running embedded server: a copy of its files that replays its log. Made by hand, because the packages of the embedded
// Postgres have no pg_basebackup.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, connectionOptions, type DatabaseTarget } from '../../src/db/sql/client.ts';

export type SocketTarget = Extract<DatabaseTarget, { socketDirectory: string }>;

/** Copies the cluster of a running server into an empty data directory, from which a server then starts as its standby. */
export async function copyAsStandby(primary: SocketTarget, from: string, to: string): Promise<void> {
  const sql = connect(primary, { ...connectionOptions(primary, {}), max: 1 });
  try {
    // The backup belongs to the session that started it.
    await sql`select pg_backup_start('standby', true)`;
    const cluster = join(to, 'cluster');
    const leftOut = ['pg_wal', 'postmaster.pid', 'postmaster.opts', 'pg_replslot', 'pg_stat_tmp'].map((name) =>
      join(from, 'cluster', name),
    );
    cpSync(join(from, 'cluster'), cluster, { recursive: true, filter: (file) => !leftOut.includes(file) });
    for (const name of ['pg_wal', 'pg_replslot', 'pg_stat_tmp']) mkdirSync(join(cluster, name), { mode: 0o700 });
    const [backup] = await sql<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`;
    writeFileSync(join(cluster, 'backup_label'), backup?.label ?? '');
    writeFileSync(join(cluster, 'standby.signal'), '');
    const source = `host=${primary.socketDirectory} port=${primary.port} user=${primary.user}`;
    writeFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  } finally {
    await sql.end();
  }
}
