// A temporary database server for a test run, with a template database that is migrated once. Vitest's globalSetup: it runs in
// the main process, so workers get the connection parameters through `provide`. database.ts creates the databases of the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/schema/migrate.ts';
import { startEmbeddedPostgres } from '../../src/postgres/launcher.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run; its database is the migrated template, which is only to be cloned. */
    cluster: { socketDirectory: string; port: number; user: string; database: string };
  }
}

export default async function setUpCluster(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'placement-test-'));
  const removeFiles = () => rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 20 });
  try {
    const server = await startEmbeddedPostgres({ dataDirectory, durability: 'none' });
    // An interrupted run gets no teardown. Then the launcher stops the server, and we remove the files.
    process.once('exit', removeFiles);
    try {
      await migrate(server.target);
    } catch (error) {
      await server.stop();
      throw error;
    }
    project.provide('cluster', server.target);
    return async () => {
      await server.stop();
      removeFiles();
    };
  } catch (error) {
    removeFiles();
    throw error;
  }
}
