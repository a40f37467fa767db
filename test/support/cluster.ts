// A temporary database server for a test run, with a template database that is migrated once. Vitest's globalSetup: it runs in
// the main process, so workers get the connection parameters through `provide`. database.ts creates the databases of the tests.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/schema/migrate.ts';
import { startEmbeddedPostgres } from '../../src/postgres/launcher.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run; its database is the migrated template, to be cloned only. */
    cluster: { socketDirectory: string; port: number; user: string; database: string };
  }
}

/** One server for all projects of the run. Vitest loads this file once per project, so shared state is kept in the process. */
const shared = globalThis as { placementTestCluster?: { running: Promise<Cluster>; users: number } };

interface Cluster {
  readonly target: ProvidedContext['cluster'];
  stop(): Promise<void>;
}

export default async function setUpCluster(project: TestProject): Promise<() => Promise<void>> {
  shared.placementTestCluster ??= { running: startCluster(), users: 0 };
  const cluster = shared.placementTestCluster;
  cluster.users += 1;
  const { target, stop } = await cluster.running;
  project.provide('cluster', target);
  return async () => {
    cluster.users -= 1;
    if (cluster.users > 0) return;
    delete shared.placementTestCluster;
    await stop();
  };
}

const memory = '/dev/shm';
const enough = 4 * 2 ** 30;

/**
 * In memory if there is room: a clone of the template has some 400 files, which take 20 to 40 ms there and 300 to 500 ms on a disk, and a run makes more than
 * a thousand clones.
 */
function placeOfFiles(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function startCluster(): Promise<Cluster> {
  const dataDirectory = mkdtempSync(join(placeOfFiles(), 'placement-test-'));
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
    const stop = async () => {
      await server.stop();
      removeFiles();
    };
    return { target: server.target, stop };
  } catch (error) {
    removeFiles();
    throw error;
  }
}
