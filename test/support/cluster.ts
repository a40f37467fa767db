// One throw-away database server for a whole test run, with a template database migrated once. Vitest's globalSetup: it runs in
// the main process, so the workers get the way to connect through `provide`. The databases of the tests: database.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/schema/migrate.ts';
import { startEmbeddedPostgres } from '../../src/postgres/launcher.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run; its database is the migrated template, which nobody may connect to but to clone it. */
    cluster: { socketDirectory: string; port: number; user: string; database: string };
  }
}

export default async function setUpCluster(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'placement-test-'));
  const removeFiles = () => rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 20 });
  try {
    const server = await startEmbeddedPostgres({ dataDirectory, durability: 'none' });
    // An interrupted run gets no teardown. The launcher ends the server in such a case; the files are ours.
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
