// A lean HTTP/1.1 client over kept connections: what a benchmark spends on itself it takes from what it measures, and Node's own
// client costs as much as some of the servers. Understands what the servers measured here answer: bodies with a length or in chunks.
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

export interface HttpClient {
  request(method: string, path: string, body?: string): Promise<HttpAnswer>;
  close(): void;
}

/** One connection: one request at a time. */
interface Connection {
  readonly socket: Socket;
  answered: ((answer: HttpAnswer) => void) | undefined;
  failed: ((error: Error) => void) | undefined;
  received: Buffer[];
  /** Bytes of the whole answer, once its head is there; null when only its end tells. */
  whole: number | null | undefined;
}

/** A client of one base URL that sends the same headers with each request. */
export function httpClient(url: string, headers: Record<string, string>): HttpClient {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/$/, '');
  const common = Object.entries({ host: base.host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const idle: Connection[] = [];
  const all = new Set<Connection>();

  const open = (): Connection => {
    const socket = connect(Number(base.port || 80), base.hostname).setNoDelay(true);
    const connection: Connection = { socket, answered: undefined, failed: undefined, received: [], whole: undefined };
    all.add(connection);
    socket.on('data', (chunk) => {
      connection.received.push(chunk);
      if (!mayBeWhole(connection, chunk)) return;
      const answer = parseAnswer(Buffer.concat(connection.received));
      if (!answer) return;
      connection.received = [];
      connection.whole = undefined;
      idle.push(connection);
      connection.answered?.(answer);
    });
    const lose = (error?: Error) => {
      all.delete(connection);
      const place = idle.indexOf(connection);
      if (place >= 0) idle.splice(place, 1);
      connection.failed?.(error ?? new Error('the server closed the connection'));
    };
    socket.on('error', lose);
    socket.on('close', () => lose());
    return connection;
  };

  return {
    request: (method, path, body = '') =>
      new Promise((answered, failed) => {
        const connection = idle.pop() ?? open();
        connection.answered = answered;
        connection.failed = failed;
        connection.socket.write(
          `${method} ${prefix}${path || '/'} HTTP/1.1\r\n${common}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      }),
    close: () => {
      for (const { socket } of all) socket.destroy();
    },
  };
}

/** Spares long answers that they are put together for each piece of them. */
function mayBeWhole(connection: Connection, last: Buffer): boolean {
  if (connection.whole === undefined) {
    const head = Buffer.concat(connection.received).toString('latin1', 0, 4096);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head.slice(0, end));
    connection.whole = isChunked ? null : end + 4 + Number(length ?? 0);
  }
  if (connection.whole === null) return last.length < 5 || last.subarray(-5).toString('latin1') === '0\r\n\r\n';
  return connection.received.reduce((sum, { length }) => sum + length, 0) >= connection.whole;
}

/** The answer, once all of it is there. */
function parseAnswer(received: Buffer): HttpAnswer | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const start = end + 4;
  if (length !== undefined) {
    return received.length < start + Number(length) ? null : { status, body: received.toString('utf8', start, start + Number(length)) };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, body: '' };
  return received.subarray(-5).toString('latin1') === '0\r\n\r\n' ? { status, body: joinChunks(received.subarray(start)) } : null;
}

function joinChunks(body: Buffer): string {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, line), 16);
    if (!(size > 0)) return Buffer.concat(chunks).toString('utf8');
    chunks.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
