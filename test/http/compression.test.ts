// Compression of answers runs on other threads: the process keeps answering other requests meanwhile.
import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { compress } from '../../src/http/compression.ts';

const text = randomBytes(256 << 10).toString('base64');

/** Counts the parts that other threads compress meanwhile: only of those does Node learn by an event. */
async function partsElsewhere(work: () => Promise<unknown>): Promise<number> {
  const compressors = new Set<number>();
  let parts = 0;
  const hook = createHook({
    init: (id, type) => void (type === 'ZLIB' && compressors.add(id)),
    before: (id) => void (compressors.has(id) && parts++),
  }).enable();
  await work();
  hook.disable();
  return parts;
}

test.each([
  { encoding: 'br', from: 'text', unpack: brotliDecompressSync },
  { encoding: 'gzip', from: 'text', unpack: gunzipSync },
  { encoding: 'br', from: 'stream', unpack: brotliDecompressSync },
  { encoding: 'gzip', from: 'stream', unpack: gunzipSync },
])('$encoding of a $from is made on other threads', async ({ encoding, from, unpack }) => {
  const app = fastify();
  app.addHook('onSend', compress);
  app.get('/', async (_request, reply) => reply.type('application/json').send(from === 'text' ? text : Readable.from([text])));
  const url = await app.listen();
  let answer = '';
  const parts = await partsElsewhere(async () => {
    const request = get(url, { headers: { 'accept-encoding': encoding } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers['content-encoding']).toBe(encoding);
    answer = unpack(await buffer(response)).toString();
  });
  await app.close();
  expect(answer === text).toBe(true);
  expect(parts).toBeGreaterThan(0);
});
