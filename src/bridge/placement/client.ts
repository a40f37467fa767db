// Sends requests to an OpenStack Placement over HTTP: handles its version, the token, concurrency and retries. Knows nothing of resources.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Returns the token to send as X-Auth-Token. If one was refused, it is passed, and a source that has no other returns it again. */
export type TokenSource = (refused?: string) => Promise<string>;

export interface PlacementOptions {
  /** The URL of its root document, such as https://cloud.example/placement, or of its server if it is at /placement there. */
  readonly url: string;
  readonly token: TokenSource;
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
  /** Where it was found. */
  readonly url: string;
  /** The newest that both sides know. */
  readonly microversion: string;
  /** The response to a GET, parsed with `schema`; null on 404. Anything else throws a readable error. `version`: unless it is that of the client. */
  get<Shape extends z.ZodType>(path: string, schema: Shape, version?: string): Promise<z.infer<Shape> | null>;
  /**
   * Sends a write, and again if its answer is lost: it may have been done before it is refused. Returns refusals (400, 404, 409 and such) as answers;
   * throws if the token is refused or the server cannot be reached.
   */
  send(method: 'PUT' | 'POST' | 'DELETE', path: string, body?: object, version?: string): Promise<SentAnswer>;
}

/** The newest microversion that there is. */
export const newestKnown = '1.39';
/** The first that shows the generations of consumers, which nothing else reveals. */
const oldestServed = '1.28';
/** In milliseconds, for one response. */
const requestTimeout = 60_000;
/** Milliseconds to wait before each retry. */
const pauses = [200, 400, 800, 1600];

const rootDocument = z.object({ versions: z.array(z.object({ max_version: z.string().regex(/^\d+\.\d+$/) })).min(1) });

/**
 * Finds a Placement with microversion 1.28 or newer at the URL or at /placement below it, and returns a client for it. Connection errors, 409, 429 and 5xx are
 * retried a few times. Throws if the URL is malformed, or its server cannot be reached, trusted or understood.
 */
export async function openPlacement({ url: given, token, concurrency, outlivesFailures }: PlacementOptions): Promise<PlacementClient> {
  const { url, newest } = await findRoot(parseUrl(given));
  if (isOlder(newest, oldestServed))
    throw new Error(`the Placement at ${url} is too old: it offers ${newest}, at least ${oldestServed} is needed`);
  const microversion = isOlder(newest, newestKnown) ? newest : newestKnown;
  const inTurn = limitConcurrency(() => concurrency, outlivesFailures);
  const ask = (path: string, version: string, request: RequestInit, expected: (status: number) => boolean) =>
    withToken(token, (value) => {
      const headers = {
        'x-auth-token': value,
        'openstack-api-version': `placement ${version}`,
        accept: 'application/json',
        ...request.headers,
      };
      return exchange(url + path, { ...request, headers }, pauses, expected);
    });
  return {
    ...{ url, microversion },
    get: (path, schema, version = microversion) =>
      inTurn(async () => {
        const { status, text } = await ask(path, version, {}, isRead);
        return status === 404 ? null : parseAnswer(url + path, text, schema);
      }),
    send: (method, path, body, version = microversion) =>
      inTurn(async () => {
        const request = { method, ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) };
        const { status, text } = await ask(path, version, request, isDecided);
        return { status, body: parseJson(text) };
      }),
  };
}

/** Without retries, so that a mistyped URL is reported at once, and without a token, which another service must not see. */
async function findRoot(base: string): Promise<{ url: string; newest: string }> {
  let fault: UnexpectedAnswer | undefined;
  for (const url of [base, `${base}/placement`]) {
    try {
      const { status, text } = await exchange(`${url}/`, { headers: { accept: 'application/json' } }, [], isRead);
      const newest = rootDocument.safeParse(status === 404 ? null : parseJson(text)).data?.versions[0]?.max_version;
      if (newest !== undefined) return { url, newest };
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer)) throw error;
      if (error.status >= 500) fault ??= error;
    }
  }
  throw fault ?? new Error(`there is no Placement at ${base} or ${base}/placement`);
}

/** Does the work with a token, and once more if it is refused and the source has another one. */
async function withToken<Result>(source: TokenSource, work: (token: string) => Promise<Result>): Promise<Result> {
  const first = await source();
  try {
    return await work(first);
  } catch (error) {
    const second = error instanceof UnexpectedAnswer && error.status === 401 ? await source(first) : first;
    if (second === first) throw error;
    return work(second);
  }
}

function parseAnswer<Shape extends z.ZodType>(url: string, text: string, schema: Shape): z.infer<Shape> {
  const answer = schema.safeParse(parseJson(text));
  if (answer.success) return answer.data;
  throw new Error(`${url} sent an answer that is not Placement's: ${z.prettifyError(answer.error).replaceAll('\n', ' ')}`);
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
  readonly status: number;

  constructor(url: string, status: number, text: string) {
    const reason =
      status === 401
        ? 'does not accept the token (401)'
        : status === 403
          ? "does not let the token do everything (403): it must be an administrator's"
          : `answered ${status}: ${text.slice(0, 200)}`;
    super(`${url} ${reason}`);
    this.status = status;
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

/** The same client, except that at most so many of its reads are under way at once. */
export function withFewerReads(placement: PlacementClient, most: () => number): PlacementClient {
  const inTurn = limitConcurrency(most, true);
  return { ...placement, get: (...read) => inTurn(() => placement.get(...read)) };
}

/** Limits concurrency; work starts in the order of the calls. After a failure nothing more starts, unless this outlives failures. */
function limitConcurrency(limit: () => number, outlivesFailures = false): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  let failure: { readonly error: unknown } | undefined;
  const begin = () => {
    for (; running < limit() && waiting.length > 0; running++) waiting.shift()?.();
  };
  return async (work) => {
    const turn = new Promise<void>((take) => waiting.push(take));
    begin();
    await turn;
    try {
      if (failure) throw failure.error;
      return await work();
    } catch (error) {
      if (!outlivesFailures) failure ??= { error };
      throw error;
    } finally {
      running -= 1;
      begin();
    }
  };
}
