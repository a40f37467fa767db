// Compression of large answers runs on other threads: the process keeps answering other requests meanwhile.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { compress } from '../../src/http/compression.ts';

// Little of it repeats, so compression takes long.
const text = randomBytes(12 << 20).toString('base64');

/** The longest time, in milliseconds, that the event loop was blocked while something ran. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [longest, before] = [0, performance.now()];
  const heartbeat = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  await work();
  clearInterval(heartbeat);
  return Math.max(longest, performance.now() - before);
}

test.each([
  ['br', () => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }), brotliDecompressSync],
  ['gzip', () => gzipSync(text, { level: 1 }), gunzipSync],
])('%s of 16 MiB blocks the event loop for a fraction of its time', async (encoding, compressHere, unpack) => {
  const app = fastify();
  app.addHook('onSend', compress);
  app.get('/', async (_request, reply) => reply.type('application/json').send(text));
  const url = await app.listen();
  const ask = async (use: (chunk: Buffer) => void) => {
    const request = get(url, { headers: { 'accept-encoding': encoding } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers['content-encoding']).toBe(encoding);
    await once(response.on('data', use), 'end');
  };
  const chunks: Buffer[] = [];
  await ask((chunk) => chunks.push(chunk));
  expect(unpack(Buffer.concat(chunks)).toString() === text).toBe(true);
  // The same on this thread, under the same machine load.
  const here = await longestHold(async () => compressHere());
  expect(await longestHold(() => ask(() => {}))).toBeLessThan(here / 2);
  await app.close();
});
