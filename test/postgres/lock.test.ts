// Examination. The lock of a data directory: at most one live holder, and a dead one does not block.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { takeLock } from '../../src/postgres/lock.ts';
import { startTimeOf } from '../../src/postgres/processes.ts';
import { freshDirectory, useGateways } from './gateways.ts';

useGateways();

const script = fileURLToPath(new URL('lock-process.ts', import.meta.url));

test('a lock that is held is refused, also to the process that holds it, and is free once released', () => {
  const directory = freshDirectory();
  const lock = takeLock(directory);
  expect(() => takeLock(directory)).toThrow(`process ${process.pid}`);
  lock.release();
  takeLock(directory).release();
  expect(readdirSync(directory)).toEqual(['gateway.lock.2']);
});

test('a process that has the pid of the dead holder, but another start time, does not hold the lock', () => {
  const directory = freshDirectory();
  writeFileSync(join(directory, 'gateway.lock.7'), JSON.stringify({ pid: process.pid, startTime: 'another' }));
  takeLock(directory).release();
});

test('a lock file cut short by a power failure holds nothing', () => {
  const directory = freshDirectory();
  writeFileSync(join(directory, 'gateway.lock.1'), '{"pid":');
  takeLock(directory).release();
});

test('of many processes that find a dead holder exactly one gets the lock', async () => {
  const parent = freshDirectory();
  const names = Array.from({ length: 300 }, (_, number) => `data-${number}`).sort();
  for (const name of names) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'gateway.lock.1'), JSON.stringify({ pid: 999_999_999, startTime: '1' }));
  }
  const children = Array.from({ length: 4 }, () => fork(script, [parent], { execArgv: ['--import', 'tsx'] }));
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const answers = Promise.all(children.map(async (child) => (await once(child, 'message'))[0] as string[]));
    for (const child of children) child.send('go');
    expect((await answers).flat().sort()).toEqual(names);
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
});

test('a process is known by when it started, and a dead one has no such time', async () => {
  expect(startTimeOf(process.pid)).toBe(startTimeOf(process.pid));
  const child = fork(script, [freshDirectory()], { execArgv: ['--import', 'tsx'] });
  const pid = child.pid ?? 0;
  await once(child, 'message');
  expect(startTimeOf(pid)).toBeDefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(startTimeOf(pid)).toBeUndefined();
});
