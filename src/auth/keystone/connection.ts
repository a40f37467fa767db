// HTTP to Keystone: kept connections, bounded answers, a deadline for each exchange. Not fetch, because it does not accept its own certificate authorities.
import { readFile } from 'node:fs/promises';
import { type AgentOptions, Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { KeystoneSettings } from '../../settings/keystone.ts';
import { beforeDeadline, faultOfConnection, KeystoneFault } from './fault.ts';

export interface Question {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The most for an answer unless the caller says otherwise. A log-in returns the catalog, which has some hundred kilobytes in a large cloud. */
const usualBytes = 4 * 1024 * 1024;

/** A kept connection that Keystone has closed meanwhile, as it does when it restarts: nothing was read from it. */
class StaleConnection extends Error {}

/** Configures TLS by the settings. Rejects if a file cannot be read. */
export async function openConnection(settings: KeystoneSettings, maxSockets: number): Promise<KeystoneConnection> {
  const { keystoneCafile, keystoneCertfile, keystoneKeyfile, keystoneInsecure } = settings;
  const [ca, cert, key] = await Promise.all([
    contentOf(keystoneCafile, 'PLACEMENT_KEYSTONE_CAFILE'),
    contentOf(keystoneCertfile, 'PLACEMENT_KEYSTONE_CERTFILE'),
    contentOf(keystoneKeyfile, 'PLACEMENT_KEYSTONE_KEYFILE'),
  ]);
  return new KeystoneConnection(
    { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: !keystoneInsecure },
    maxSockets,
  );
}

async function contentOf(path: string | null, variable: string): Promise<Buffer | undefined> {
  if (path === null) return undefined;
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${variable}=${JSON.stringify(path)} cannot be read (${error.code})`);
  });
}

interface TlsOptions {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly rejectUnauthorized: boolean;
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

export class KeystoneConnection {
  readonly #kept: Agents;
  /** For the second attempt, which must not meet another stale connection. */
  readonly #fresh: Agents;

  constructor(tls: TlsOptions, maxSockets: number) {
    const agents = (options: AgentOptions): Agents => ({ http: new HttpAgent(options), https: new HttpsAgent({ ...tls, ...options }) });
    this.#kept = agents({ keepAlive: true, maxSockets });
    this.#fresh = agents({ keepAlive: false });
  }

  /** Rejects with a KeystoneFault. */
  async send(question: Question, deadline: AbortSignal, bytes = usualBytes): Promise<Answer> {
    try {
      return await exchange(question, this.#kept, deadline, bytes);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return exchange(question, this.#fresh, deadline, bytes);
    }
  }

  close(): void {
    for (const agent of [this.#kept.http, this.#kept.https, this.#fresh.http, this.#fresh.https]) agent.destroy();
  }
}

async function exchange({ method, url, headers, body }: Question, agents: Agents, deadline: AbortSignal, bytes: number): Promise<Answer> {
  const isTls = url.startsWith('https:');
  const options = { method, headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) } };
  const request = isTls ? httpsRequest(url, { ...options, agent: agents.https }) : httpRequest(url, { ...options, agent: agents.http });
  const answered = new Promise<Answer>((resolve, reject) => {
    request.on('response', (response) => {
      readAnswer(response, bytes).then(resolve, (error: unknown) => {
        request.destroy();
        reject(error instanceof KeystoneFault ? error : new KeystoneFault('its answer was interrupted'));
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      reject(isReset && request.reusedSocket ? new StaleConnection() : faultOfConnection(error));
    });
  });
  request.end(body);
  try {
    return await beforeDeadline(deadline, answered);
  } finally {
    // Does nothing after a complete answer.
    if (deadline.aborted) request.destroy();
  }
}

async function readAnswer(response: IncomingMessage, most: number): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw new KeystoneFault(`it answered with more than ${most} bytes`);
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() };
}
