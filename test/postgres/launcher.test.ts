// Examination, waiting. The embedded Postgres: which users can run it, with which packages, and where. See survival.test.ts for what it survives.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  freshDirectory,
  leaveMark,
  packageAsPublished,
  plainUser,
  postmasterPid,
  query,
  readMark,
  runsAsRoot,
  start,
  startGateway,
  stopGateway,
  useGateways,
} from './gateways.ts';

useGateways();

describe('from a package whose install script never ran', () => {
  // Which users can be tried depends on who runs the tests: only root can become another user.
  const users = runsAsRoot
    ? [
        { who: 'root', uid: undefined, writable: true },
        { who: 'a user without rights', uid: plainUser, writable: false },
      ]
    : [
        { who: 'this user', uid: undefined, writable: true },
        { who: 'this user', uid: undefined, writable: false },
      ];

  test.each(users)('$who starts it (package writable: $writable) and keeps the data over a restart', async ({ uid, writable }) => {
    const native = packageAsPublished();
    if (!writable) chmodSync(join(native, 'lib'), 0o555);
    const dataDirectory = join(freshDirectory(uid === undefined ? 0o755 : 0o777), 'data');
    const first = await startGateway({ dataDirectory, native }, uid);
    await leaveMark(first.target);
    await stopGateway(first);
    expect(postmasterPid(dataDirectory)).toBeUndefined();

    const second = await startGateway({ dataDirectory, native }, uid);
    expect(await readMark(second.target)).toBe(42);
    await stopGateway(second);

    // Its links are created in place if possible, otherwise in a copy.
    const copies = readdirSync(dataDirectory).filter((name) => name.startsWith('binaries-'));
    expect(copies).toHaveLength(writable ? 0 : 1);
    const home = writable ? native : join(dataDirectory, copies[0] ?? '', 'native');
    expect(lstatSync(join(home, 'lib', 'libicuuc.so.60')).isSymbolicLink()).toBe(true);
  });
});

test('without a package the binaries of the system serve, and without those the message says to set DATABASE_URL', async () => {
  const native = join(freshDirectory(), 'native');
  mkdirSync(native);
  writeFileSync(join(dirname(native), 'package.json'), '{ "version": "0" }');
  const system = '/usr/lib/postgresql';
  const systemServes = existsSync(system) && readdirSync(system).some((version) => Number(version) >= 15);
  const answer = await start(freshDirectory(), { native }).then(
    async ({ target }) => query(target, 'select 1 as one'),
    (error: Error) => error.message,
  );
  expect(answer).toEqual(systemServes ? [{ one: 1 }] : expect.stringContaining('set DATABASE_URL'));
});

describe('the server', () => {
  test('listens on a unix socket that only its owner can reach, and on no network address', async () => {
    const dataDirectory = freshDirectory();
    const { target } = await start(dataDirectory);
    // The sixth line is the first TCP address that the server listens on.
    expect(readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[5]).toBe('');
    expect(target.socketDirectory).toBe(join(dataDirectory, 'socket'));
    expect(statSync(target.socketDirectory).mode & 0o777).toBe(0o700);
    expect(readdirSync(target.socketDirectory)).toContain('.s.PGSQL.5432');
  });

  test('writes durably by default', async () => {
    const settings = `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('synchronous_commit') as commit`;
    const safe = await start(freshDirectory(), { durability: 'safe' });
    expect(await query(safe.target, settings)).toEqual([{ fsync: 'on', pages: 'on', commit: 'on' }]);
    const fast = await start(freshDirectory(), { durability: 'none' });
    expect(await query(fast.target, settings)).toEqual([{ fsync: 'off', pages: 'off', commit: 'on' }]);
  });

  test('works in a directory whose path is too long for a socket', async () => {
    const dataDirectory = join(freshDirectory(), 'long'.repeat(30), 'näme');
    const { target } = await start(dataDirectory);
    expect(target.socketDirectory.startsWith(dataDirectory)).toBe(false);
    expect(await query(target, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(statSync(target.socketDirectory).mode & 0o777).toBe(0o700);
  });

  test('works in a directory whose path has quotes, commas and spaces', async () => {
    const dataDirectory = join(freshDirectory(), 'a "b", c');
    const { target } = await start(dataDirectory);
    expect(target.socketDirectory).toBe(join(dataDirectory, 'socket'));
    expect(await query(target, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('a cluster of another major version is refused with advice, and left alone', async () => {
  const dataDirectory = freshDirectory();
  mkdirSync(join(dataDirectory, 'cluster'));
  writeFileSync(join(dataDirectory, 'cluster', 'PG_VERSION'), '12\n');
  const refusal = /made by Postgres 12, and this is Postgres \d+: dump it with Postgres 12/;
  await expect(start(dataDirectory)).rejects.toThrow(refusal);
  await expect(start(dataDirectory)).rejects.toThrow(refusal);
  expect(readdirSync(join(dataDirectory, 'cluster'))).toEqual(['PG_VERSION']);
});

// Only root runs the server as another user, who may have access to less of the disk.
if (runsAsRoot) {
  describe('out of reach for the account of the server', () => {
    test('binaries are copied into the data directory', async () => {
      const native = packageAsPublished(freshDirectory(0o700));
      const dataDirectory = freshDirectory();
      await start(dataDirectory, { native });
      expect(readdirSync(dataDirectory)).toContainEqual(expect.stringMatching(/^binaries-\d/));
    });

    test('a data directory keeps its files elsewhere, finds them again, and reports where they are', async () => {
      const dataDirectory = join(freshDirectory(0o700), 'data');
      const report = vi.fn();
      const first = await start(dataDirectory, { report });
      const place = readlinkSync(join(dataDirectory, 'moved-to'));
      try {
        expect(report).toHaveBeenCalledWith(expect.stringContaining(place));
        await leaveMark(first.target);
        await first.stop();
        const second = await start(dataDirectory);
        expect(await readMark(second.target)).toBe(42);
        await expect(start(dataDirectory)).rejects.toThrow('in use by another');
        await second.stop();
      } finally {
        rmSync(place, { recursive: true });
      }
      await expect(start(dataDirectory)).rejects.toThrow('restore them, or delete the link');
    });
  });
}
