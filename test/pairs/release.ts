// The code of a build, as modules: gateways of two releases in one process are cheap, so every mutation can be tried in every order.
import { join } from 'node:path';
import { inject } from 'vitest';
import type * as Migrating from '../../src/db/schema/migrate.ts';
import type * as Databases from '../../src/db/sql/client.ts';
import type * as Servers from '../../src/listener/server.ts';
import type * as Logs from '../../src/logs/process-log.ts';
import type * as Settings from '../../src/settings/settings.ts';
import { askAt, type Gateway } from '../support/gateway.ts';

export interface ReleaseCode {
  migrate(target: Databases.DatabaseTarget): Promise<void>;
  /** A gateway with a database of its own. */
  start(target: Databases.DatabaseTarget): Promise<Gateway & { readonly db: Databases.Db }>;
}

export async function codeOf(build: 'last' | 'next'): Promise<ReleaseCode> {
  const load = <Module>(path: string) => import(join(inject('builds')[build], 'dist', path)) as Promise<Module>;
  const { migrate } = await load<typeof Migrating>('db/schema/migrate.js');
  const { openDatabase } = await load<typeof Databases>('db/sql/client.js');
  const { startServer } = await load<typeof Servers>('listener/server.js');
  const { createLogger } = await load<typeof Logs>('logs/process-log.js');
  const { readSettings } = await load<typeof Settings>('settings/settings.js');
  return {
    migrate: (target) => migrate(target),
    start: async (target) => {
      const db = openDatabase(target, { readConnections: 2, writeConnections: 3 });
      const { settings } = readSettings({ PLACEMENT_PORT: '0' });
      const { log } = createLogger({ level: 'error', write: (line) => process.stderr.write(line) });
      const server = await startServer({ settings, db, log });
      const { agent, ...gateway } = askAt(server.url);
      const close = async () => {
        agent.destroy();
        await server.close();
        await db.close();
      };
      return { ...gateway, db, close };
    },
  };
}
