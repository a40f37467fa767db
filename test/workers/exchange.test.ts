// Examination. What one worker asks another, over real sockets: nothing is lost when the one that answers goes, and nobody waits for one that is dark.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Answerer, Asker } from '../../src/workers/exchange.ts';
import { Frames, frameOf } from '../../src/workers/frames.ts';

let directory: string;
const path = (name: string) => join(directory, name);
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'exchange-'));
});
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(directory, { recursive: true });
});

async function answering(name: string, answer: (question: unknown) => Promise<unknown>): Promise<Answerer> {
  const answerer = new Answerer(answer);
  await answerer.listen(path(name));
  closing.push(() => answerer.close());
  return answerer;
}

const greeting = 'are you there?';

async function following(name: string): Promise<Asker> {
  const one = new Asker();
  one.follow(path(name));
  closing.push(() => one.follow(null));
  await expect.poll(() => one.ask(greeting)).not.toBe('notSent');
  return one;
}

/** Someone who accepts connections and answers greetings, but nothing else; one that is dark says nothing. */
async function listening(name: string, { isDark = false } = {}) {
  const sockets: Socket[] = [];
  const heard: (readonly (readonly [id: number, question: unknown])[])[] = [];
  const server = createServer((socket) => {
    const frames = new Frames();
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const message of frames.take(bytes) as typeof heard) {
        const [[id, question] = []] = message;
        if (question === greeting) socket.write(frameOf([[id, 'yes']]));
        else heard.push(message);
      }
    });
    if (!isDark) socket.write(frameOf([]));
  });
  await once(server.listen(path(name)), 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, sockets, heard };
}

test('each of many concurrent questions gets its own answer, in any order', async () => {
  const held: (() => void)[] = [];
  await answering('a', async (question) => {
    if (question === 3) await new Promise<void>((resolve) => held.push(resolve));
    return { question };
  });
  const one = await following('a');
  const asked = Array.from({ length: 100 }, (_, question) => one.ask(question));
  await Promise.all(asked.filter((_, question) => question !== 3));
  held[0]?.();
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 100 }, (_, question) => ({ answer: { question } })));
});

test('questions of one turn of the event loop share a message', async () => {
  const { heard } = await listening('a');
  const one = await following('a');
  for (const question of ['first', 'second', 'third']) void one.ask(question);
  await expect.poll(() => heard.flat().map(([, question]) => question)).toEqual(['first', 'second', 'third']);
  expect(heard).toHaveLength(1);
});

test('a question is not sent if nobody answers questions, or the one who does has not spoken yet', async () => {
  const one = new Asker();
  closing.push(() => one.follow(null));
  expect(await one.ask('anybody?')).toBe('notSent');
  one.follow(path('nobody'));
  expect(await one.ask('anybody?')).toBe('notSent');
  const { sockets } = await listening('dark', { isDark: true });
  one.follow(path('dark'));
  await expect.poll(() => sockets.length).toBe(1);
  expect(await one.ask('anybody?')).toBe('notSent');
});

test('questions to a process that has gone are lost, further ones are not sent, and it is asked again once it is back', async () => {
  const { sockets, heard, server } = await listening('a');
  const one = await following('a');
  const asked = one.ask('first');
  await expect.poll(() => heard.length).toBe(1);
  for (const socket of sockets) socket.destroy();
  server.close();
  expect(await asked).toBe('lost');
  expect(await one.ask('then')).toBe('notSent');
  await answering('a', async () => 'back');
  await expect.poll(() => one.ask('again')).toEqual({ answer: 'back' });
});

test('a process that falls silent is abandoned', async () => {
  await listening('a');
  const one = await following('a');
  expect(await one.ask('what takes time?')).toBe('lost');
  expect(await one.ask('still?')).toBe('notSent');
});

test('a slow process that reports now and then is waited for, even if a silent one would have been abandoned', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await answering('a', async (question) => {
    if (question !== greeting) await held;
    return question;
  });
  await listening('silent');
  const one = await following('a');
  const other = await following('silent');
  const waiting = one.ask('what takes time?');
  expect(await other.ask('what takes time?')).toBe('lost');
  release();
  expect(await waiting).toEqual({ answer: 'what takes time?' });
});

test('a process that closes answers what it was asked, and is asked nothing more', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answerer = await answering('a', async (question) => {
    if (question === 'held') await held;
    return question;
  });
  const one = await following('a');
  const waiting = one.ask('held');
  // It is asked before it closes.
  await one.ask('other');
  const closed = answerer.close();
  await expect.poll(() => one.ask('more')).toBe('notSent');
  release();
  expect(await waiting).toEqual({ answer: 'held' });
  await closed;
});

test('after another process has taken over, the previous one still answers what it was asked', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await answering('a', async (question) => {
    if (question === 'held') await held;
    return 'a';
  });
  await answering('b', async () => 'b');
  const one = await following('a');
  const waiting = one.ask('held');
  await one.ask('other');
  one.follow(path('b'));
  await expect.poll(() => one.ask('who?')).toEqual({ answer: 'b' });
  release();
  expect(await waiting).toEqual({ answer: 'a' });
});
