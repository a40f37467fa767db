// Examination. What the embedded Postgres survives: crashes of the gateway, of the server and during initialisation, and a second gateway on its directory.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { startTimeOf } from '../../src/postgres/processes.ts';
import {
  forkGateway,
  freshDirectory,
  killHard,
  leaveMark,
  postmasterPid,
  query,
  readMark,
  runsAsRoot,
  start,
  startGateway,
  useGateways,
} from './gateways.ts';

useGateways();

describe('the server', () => {
  test('comes back by itself with its data after kill -9', async () => {
    const dataDirectory = freshDirectory();
    const report = vi.fn();
    const { target } = await start(dataDirectory, { report });
    await leaveMark(target);
    const killed = killServer(dataDirectory);
    await serverOtherThan(dataDirectory, killed);
    expect(await readMark(target)).toBe(42);
    expect(report).toHaveBeenCalledWith(expect.stringContaining('SIGKILL'));
  });

  test('that keeps dying is given up, with one report', async () => {
    const dataDirectory = freshDirectory();
    const server = await start(dataDirectory);
    const reasons: Error[] = [];
    const gaveUp = new Promise<void>((resolve) => {
      server.onExit((reason) => {
        reasons.push(reason);
        resolve();
      });
    });
    for (let death = 1; death <= 5; death += 1) await serverOtherThan(dataDirectory, killServer(dataDirectory));
    expect(reasons).toEqual([]);
    killServer(dataDirectory);
    await gaveUp;
    expect(reasons).toEqual([expect.objectContaining({ message: expect.stringContaining('died more than 5 times') })]);
    await server.stop();
  });

  test('is stopped once however often one asks', async () => {
    const dataDirectory = freshDirectory();
    const server = await start(dataDirectory);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(postmasterPid(dataDirectory)).toBeUndefined();
  });
});

describe('a data directory', () => {
  test('is served again, with its data, after kill -9 of the gateway', async () => {
    const dataDirectory = freshDirectory();
    const gateway = await startGateway({ dataDirectory });
    await leaveMark(gateway.target);
    await killHard(gateway.child);
    const orphan = postmasterPid(dataDirectory);
    expect(startTimeOf(orphan ?? 0)).toBeDefined();

    const server = await start(dataDirectory);
    expect(await readMark(server.target)).toBe(42);
    await server.stop();
    expect(startTimeOf(orphan ?? 0)).toBeUndefined();
  });

  test('is served again after kill -9 of the gateway and of the server', async () => {
    const dataDirectory = freshDirectory();
    const gateway = await startGateway({ dataDirectory });
    await leaveMark(gateway.target);
    await killHard(gateway.child);
    killServer(dataDirectory);
    const server = await start(dataDirectory);
    expect(await readMark(server.target)).toBe(42);
  });

  test('is refused to a second gateway, by the name of the first, until the first is dead', async () => {
    const dataDirectory = freshDirectory();
    const gateway = await startGateway({ dataDirectory });
    const second = start(dataDirectory);
    await expect(second).rejects.toThrow(`in use by another placement-gateway, process ${gateway.child.pid}:`);
    expect(await query(gateway.target, 'select 1 as one')).toEqual([{ one: 1 }]);
    await killHard(gateway.child);
    await start(dataDirectory);
  });

  test('whose initialisation was killed is initialised afresh', async () => {
    const dataDirectory = freshDirectory();
    const child = forkGateway({ dataDirectory });
    const draft = () => readdirSync(dataDirectory).filter((name) => name.startsWith('cluster-'));
    await vi.waitFor(() => expect(readdirSync(join(dataDirectory, draft()[0] ?? ''))).toContain('PG_VERSION'), 20_000);
    await killHard(child);
    expect(readdirSync(dataDirectory)).not.toContain('cluster');

    const { target } = await start(dataDirectory);
    expect(await query(target, 'select current_database() as name')).toEqual([{ name: 'placement' }]);
    expect(draft()).toEqual([]);
  });

  test('is served though its server left a pid that now belongs to a stranger', async () => {
    const dataDirectory = freshDirectory();
    const first = await start(dataDirectory);
    const pidFile = join(dataDirectory, 'cluster', 'postmaster.pid');
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    await first.stop();
    const { uid, gid } = statSync(join(dataDirectory, 'cluster'));
    const stranger = spawn('sleep', ['600'], runsAsRoot ? { uid, gid, cwd: '/' } : {});
    writeFileSync(pidFile, [stranger.pid, ...lines.slice(1)].join('\n'), { mode: 0o644 });
    try {
      const second = await start(dataDirectory);
      expect(await query(second.target, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(stranger.exitCode).toBeNull();
    } finally {
      await killHard(stranger);
    }
  });
});

function killServer(dataDirectory: string): number {
  const pid = postmasterPid(dataDirectory);
  if (pid === undefined) throw new Error('no server to kill');
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** Waits for a server that is ready and is not the given one. */
async function serverOtherThan(dataDirectory: string, pid: number): Promise<void> {
  const state = () => {
    try {
      return readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
    } catch {
      return [];
    }
  };
  while (state()[0] === String(pid) || state()[7]?.trim() !== 'ready') await sleep(20);
}
