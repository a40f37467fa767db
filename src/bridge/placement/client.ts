// Sends requests to an OpenStack Placement over HTTP: handles its version, the token, concurrency and retries. Knows nothing of resources.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

export interface PlacementOptions {
  /** The URL of its root document, such as https://cloud.example/placement. */
  readonly url: string;
  /** The token, sent as X-Auth-Token. */
  readonly token: string;
  /** The maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Whether other requests still start after one has failed, as a client needs that lives as long as its process. By default none does. */
  readonly outlivesFailures?: boolean;
}

export interface SentAnswer {
  readonly status: number;
  /** Parsed; undefined if it is not JSON. */
  readonly body: unknown;
}

export interface PlacementClient {
  /** The response to a GET, parsed with `schema`; null on 404. Anything else throws a readable error. */
  get<Shape extends z.ZodType>(path: string, schema: Shape): Promise<z.infer<Shape> | null>;
  /**
   * Sends a write, and again if its answer is lost: it may have been done before it is refused. Returns refusals (400, 404, 409 and such) as answers;
   * throws if the token is refused or the server cannot be reached. `version` is 1.39 unless given.
   */
  send(method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object, version?: string): Promise<SentAnswer>;
}

const microversion = '1.39';
/** In milliseconds, for one response. */
const requestTimeout = 60_000;
/** Milliseconds to wait before each retry. */
const pauses = [200, 400, 800, 1600];

const rootDocument = z.object({ versions: z.array(z.object({ max_version: z.string().regex(/^\d+\.\d+$/) })).min(1) });

/**
 * Checks that a Placement with microversion 1.39 is at the URL, and returns a client for it. Connection errors, 409, 429 and 5xx are retried a few
 * times. Throws if the URL is malformed, or its server cannot be reached, trusted or understood.
 */
export async function openPlacement({ url, token, concurrency, outlivesFailures }: PlacementOptions): Promise<PlacementClient> {
  const base = parseUrl(url);
  const inTurn = limitConcurrency(concurrency, outlivesFailures);
  const headers = { 'x-auth-token': token, 'openstack-api-version': `placement ${microversion}`, accept: 'application/json' };
  const read = async <Shape extends z.ZodType>(path: string, schema: Shape, waits: readonly number[]): Promise<z.infer<Shape> | null> => {
    const { status, text } = await exchange(base + path, { headers }, waits, isRead);
    if (status === 404) return null;
    const answer = schema.safeParse(parseJson(text));
    if (answer.success) return answer.data;
    throw new Error(`${base}${path} sent an answer that is not Placement's: ${z.prettifyError(answer.error).replaceAll('\n', ' ')}`);
  };

  // Without retries, so that a mistyped URL is reported at once.
  const root = await read('/', rootDocument, []);
  const newest = root?.versions[0]?.max_version;
  if (newest === undefined) throw new Error(`there is no Placement at ${base}`);
  if (isOlder(newest, microversion))
    throw new Error(`the Placement at ${base} is too old: it offers ${newest}, import needs ${microversion}`);
  return {
    get: (path, schema) => inTurn(() => read(path, schema, pauses)),
    send: (method, path, body, version = microversion) =>
      inTurn(async () => {
        const asked = { ...headers, 'openstack-api-version': `placement ${version}`, ...(body && { 'content-type': 'application/json' }) };
        const request = { method, headers: asked, ...(body && { body: JSON.stringify(body) }) };
        const { status, text } = await exchange(base + path, request, pauses, isDecided);
        return { status, body: parseJson(text) };
      }),
  };
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`${text} is not an http or https URL`);
  if (url.username || url.password) throw new Error('the URL of a Placement must not contain a user or password: use a token');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOlder(offered: string, needed: string): boolean {
  const [[major = 0, minor = 0], [neededMajor = 0, neededMinor = 0]] = [offered.split('.').map(Number), needed.split('.').map(Number)];
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}

/** Sends a request until it has an answer with a status that is `expected`. */
async function exchange(
  url: string,
  request: RequestInit,
  waits: readonly number[],
  expected: (status: number) => boolean,
): Promise<{ status: number; text: string }> {
  for (let attempt = 0; ; attempt++) {
    const wait = waits[attempt];
    try {
      const response = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(requestTimeout) });
      const { status } = response;
      const text = await response.text();
      if (expected(status)) return { status, text };
      if (wait === undefined || !isTransient(status)) throw new UnexpectedAnswer(url, status, text);
    } catch (error) {
      if (error instanceof UnexpectedAnswer) throw error;
      const code = faultCode(error);
      if (isTlsFault(code)) {
        throw new Error(`${url} is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS`, { cause: error });
      }
      if (wait === undefined) throw new Error(`${url} cannot be reached (${code})`, { cause: error });
    }
    await sleep(wait);
  }
}

class UnexpectedAnswer extends Error {
  constructor(url: string, status: number, text: string) {
    const reason =
      status === 401
        ? 'does not accept the token (401)'
        : status === 403
          ? "does not let the token do everything (403): it must be an administrator's"
          : `answered ${status}: ${text.slice(0, 200)}`;
    super(`${url} ${reason}`);
  }
}

const isDone = (status: number) => status >= 200 && status < 300;
const isRead = (status: number) => isDone(status) || status === 404;
/** Whether a write was done or refused. */
const isDecided = (status: number) => isDone(status) || (status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status));
const isTransient = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500;

const isTlsFault = (code: string) => /CERT|SSL|TLS|UNABLE_TO|^EPROTO$/.test(code);

function faultCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  if (error.cause !== undefined) return faultCode(error.cause);
  return typeof code === 'string' ? code : error.message;
}

/** Limits concurrency; work starts in the order of the calls. After a failure nothing more starts, unless this outlives failures. */
function limitConcurrency(limit: number, outlivesFailures = false): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = limit;
  const waiting: (() => void)[] = [];
  let failure: { readonly error: unknown } | undefined;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      if (failure) throw failure.error;
      return await work();
    } catch (error) {
      if (!outlivesFailures) failure ??= { error };
      throw error;
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
