// Examination. Whatever is sent to /graphql, the answer conforms to GraphQL over HTTP and is never a 500, and refused requests and reads
// change no rows. FUZZ_REQUESTS is the number of requests; `npm run fuzz` sends many.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { type RandomOperation, randomOperation } from '../support/random-operations.ts';
import { useRest } from '../support/rest.ts';
import { digestQuery } from '../support/row-digest.ts';
import { allowedOrigin, decoded, webFaultOf } from '../support/web-headers.ts';

const requests = Math.ceil(Number(process.env.FUZZ_REQUESTS ?? 2000) / 2);
/** Milliseconds: far more than any answer takes. */
const answerDeadline = 20_000;

const database = useDatabase();
const gateway = useRest(database, { PLACEMENT_CORS_ALLOWED_ORIGIN: allowedOrigin });
const agent = new Agent({ keepAlive: true });
let stateQuery = '';
beforeAll(async () => {
  stateQuery = await digestQuery(database.own);
});
afterAll(() => {
  agent.destroy();
  expect(gateway.bugs).toEqual([]);
});

const digest = async () => (await database.own.unsafe<{ digest: string }[]>(stateQuery))[0]?.digest;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function ask({ method, path, headers, body }: RandomOperation): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = httpRequest(new URL(gateway.url).origin, { method, path, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: decoded(response.headers, Buffer.concat(chunks)) });
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.setTimeout(answerDeadline, () => sent.destroy(new Error('no answer came')));
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Document {
  readonly data?: Record<string, { readonly event?: object | null } | null> | null;
  readonly errors?: readonly { readonly message?: unknown; readonly extensions?: Record<string, unknown> }[];
}

const insides = /\b(relation "|sqlstate|pg_\w+|drizzle|failed query|node_modules|apply_write|ECONN\w+)|\.ts:\d|\bat \w+ \(/i;
const types = /^application\/(json|graphql-response\+json); charset=utf-8$/;

/** The fault of an answer, whatever the question was; null without one. */
function faultOf({ method, path, headers: asked }: RandomOperation, { status, headers, text }: Answer): string | null {
  const id = headers['x-openstack-request-id'];
  if (status >= 500 || status < 200) return `status ${status}`;
  if (!id) return 'no request id';
  if (insides.test(text)) return `insides: ${insides.exec(text)?.[0]}`;
  if (method === 'HEAD' || status === 204) return text === '' ? null : 'a body where there is none';
  const isOurs = /^\/graphql\/?(\?|$)/.test(path);
  // Paths of the REST API, which is also served at the root, get its form of answers.
  if (!isOurs && status === 404) return null;
  if (!types.test(headers['content-type'] ?? '')) return `type ${headers['content-type']}`;
  const exact = /^application\/(json|graphql-response\+json)$/.exec(asked.accept ?? '')?.[0];
  if (isOurs && status === 200 && exact && !headers['content-type']?.startsWith(exact)) return 'another type than asked for';
  const { data, errors } = JSON.parse(text) as Document;
  const isAnswered = data !== undefined && data !== null;
  // Apollo's clients recognize this answer by its status, and then send the document.
  const isUnstored = errors?.[0]?.extensions?.code === 'PERSISTED_QUERY_NOT_FOUND';
  if ((isAnswered || isUnstored) !== (status === 200)) return `status ${status} ${isAnswered ? 'with' : 'without'} data`;
  if (status === 405 && !headers.allow) return '405 without allow';
  if (status === 401 && !headers['www-authenticate']) return '401 without www-authenticate';
  if (!isAnswered && !errors?.length) return 'neither data nor errors';
  for (const { message, extensions = {} } of errors ?? []) {
    if (typeof message !== 'string' || message === '') return 'an error without a message';
    if (!/^[A-Z_]+$/.test(String(extensions.code)) || extensions.code === 'INTERNAL_SERVER_ERROR') return `code ${extensions.code}`;
    if (extensions.requestId !== id) return 'the request id in the body differs';
  }
  return null;
}

/** Whether an answer says that something was written. */
function isWrite({ status, text }: Answer): boolean {
  if (status !== 200 || text === '') return false;
  const { data } = JSON.parse(text) as Document;
  return Object.values(data ?? {}).some((field) => (field?.event ?? null) !== null);
}

/** Whether the data belong to a document that was sent before. */
function isByHash({ path, body }: RandomOperation, { text }: Answer): boolean {
  return text.startsWith('{"data":{') && path.includes('sha256Hash') && !path.includes('query=') && body === undefined;
}

test(
  'every answer is well formed and in time, and refused requests and reads change no row',
  async () => {
    const count = { answered: 0, written: 0, refused: 0, byHash: 0, br: 0, gzip: 0 };
    let before = await digest();
    await fc.assert(
      fc.asyncProperty(randomOperation, async (operation) => {
        const answer = await ask(operation);
        const fault = faultOf(operation, answer) ?? webFaultOf(operation.headers, answer);
        expect(fault, `${answer.status} ${answer.text.slice(0, 500)}`).toBeNull();
        const after = await digest();
        if (!isWrite(answer)) expect(after).toBe(before);
        else expect(operation.method).toBe('POST');
        count[isWrite(answer) ? 'written' : answer.status === 200 ? 'answered' : 'refused']++;
        const encoding = answer.headers['content-encoding'];
        if (encoding === 'br' || encoding === 'gzip') count[encoding]++;
        if (isByHash(operation, answer)) count.byHash++;
        before = after;
      }),
      { numRuns: requests, endOnFailure: true },
    );
    // Otherwise the test would not reach what is behind the first checks.
    expect(Math.min(count.answered, count.refused) / requests).toBeGreaterThan(0.15);
    expect(Math.min(count.written, count.byHash, count.br + count.gzip)).toBeGreaterThan(0);
    await expectSoundLedger(database.db);
  },
  Math.max(400_000, requests * 60),
);
