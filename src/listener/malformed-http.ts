// What never becomes a request: bytes that Node's parser rejects or that arrive too late, tunnels, and connections beyond the bound of an address. Each is
// answered, and its connection closed. The audit log records them within bounds, so that a client that sends nothing else cannot fill it.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { requestIdHeader } from '../auth/callers/headers.ts';
import type { Audit } from '../domain/audit.ts';
import { limits } from '../domain/limits.ts';
import { addressOfConnection } from '../http/proxy-protocol.ts';
import { retryAfter } from '../http/refusal.ts';
import { safeHeaders } from '../http/requests.ts';
import { answerToMalformed, headersTooLarge, type ParserError } from '../rest/serving/malformed.ts';

/**
 * Responds to what Node's parser rejects, in the form of REST below its mount, and closes the connection, because it is unknown where the next request would
 * begin.
 */
export function answerMalformed(audit: Audit | null): (error: ParserError, socket: Socket) => void {
  const faults = audit && new FaultsOfSources(audit);
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const id = `req-${randomUUID()}`;
    const { status, body, allow } = answerToMalformed(error, id) ?? generalFault(error, id);
    faults?.note({ address: addressOfConnection(socket), status, reason: error.code ?? '', id });
    endWithAnswer(socket, status, body, id, allow === undefined ? [] : [`Allow: ${allow}`]);
  };
}

/** Responds to a connection of an address with too many connections. */
export function refuseCrowd(audit: Audit | null): (socket: Socket) => void {
  const faults = audit && new FaultsOfSources(audit);
  return (socket) => {
    const id = `req-${randomUUID()}`;
    const message = 'Your address has too many connections to this gateway: use fewer, and keep those open.';
    faults?.note({ address: addressOfConnection(socket), status: 429, reason: 'TOO_MANY_CONNECTIONS', id });
    endWithAnswer(
      socket,
      429,
      JSON.stringify({ errors: [{ message, extensions: { code: 'RATE_LIMITED', retry: 'LATER', requestId: id } }] }),
      id,
      [`Retry-After: ${retryAfter}`],
    );
  };
}

/** Responds to CONNECT, which Node passes on as a bare connection. */
export function refuseTunnel(_request: unknown, socket: Duplex): void {
  const requestId = `req-${randomUUID()}`;
  const message = 'This is not a proxy: it opens no tunnels.';
  endWithAnswer(
    socket,
    405,
    JSON.stringify({ errors: [{ message, extensions: { code: 'METHOD_NOT_ALLOWED', retry: 'NEVER', requestId } }] }),
    requestId,
    ['Allow: GET, POST, PUT, DELETE'],
  );
}

function endWithAnswer(socket: Duplex, status: number, body: string, requestId: string, headers: readonly string[] = []): void {
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${requestIdHeader}: ${requestId}`,
      ...Object.entries(safeHeaders).map(([name, value]) => `${name}: ${value}`),
      ...headers,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy();
}

function generalFault({ code }: ParserError, requestId: string): NonNullable<ReturnType<typeof answerToMalformed>> {
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const faults: Readonly<Record<number, string>> = { 408: 'The request did not arrive in time.', 431: headersTooLarge };
  const message = faults[status] ?? 'The request is not valid HTTP.';
  const retry = status === 408 ? 'LATER' : 'NEVER';
  return { status, body: JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST', retry, requestId } }] }) };
}

/** Something that did not become a request. */
interface Fault {
  readonly address: string;
  readonly status: number;
  /** The code of Node's error. */
  readonly reason: string;
  readonly id: string;
}

/**
 * Records faults. In each second, the first one of a source with a status and a reason is recorded at once; the others share a line at the end of the second,
 * with their number. Sources beyond `limits.auditedSources` in a second share a line without an address.
 */
class FaultsOfSources {
  readonly #audit: Audit;
  /** The faults of this second, and how often each was repeated. */
  #seen = new Map<string, { readonly fault: Fault; again: number }>();

  constructor(audit: Audit) {
    this.#audit = audit;
  }

  note(fault: Fault): void {
    if (this.#seen.size === 0) setTimeout(() => this.#endSecond(), 1000).unref();
    const whose = this.#seen.size < limits.auditedSources || this.#seen.has(keyOf(fault)) ? fault : { ...fault, address: '' };
    const known = this.#seen.get(keyOf(whose));
    if (known) {
      known.again += 1;
      return;
    }
    this.#seen.set(keyOf(whose), { fault: whose, again: 0 });
    this.#record(whose, 1);
  }

  #endSecond(): void {
    const seen = this.#seen;
    this.#seen = new Map();
    for (const { fault, again } of seen.values()) if (again > 0) this.#record(fault, again);
  }

  #record({ address, status, reason, id }: Fault, times: number): void {
    const source = { method: '', target: null, ip: address, id };
    const outcome = status === 429 ? 'limited' : 'invalid';
    this.#audit(source, null, null)({ outcome, action: null, status, reason, ...(times > 1 && { times }) });
  }
}

const keyOf = ({ address, status, reason }: Fault): string => `${address} ${status} ${reason}`;
