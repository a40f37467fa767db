// A lean HTTP/1.1 client over kept-alive connections: a benchmark's own processor time is missing from the measured server, and Node's own
// client costs as much as some of the servers. Understands the answers of the servers measured here: bodies with a length or in chunks.
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  /** The body of a long answer is decoded on demand. Empty if the client does not keep bodies and the answer is successful. */
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
  /** Bytes received, and the last five of them. */
  size: number;
  tail: Buffer;
  /** The head of the incoming answer, once it has arrived. */
  head: Head | undefined;
}

/** The first byte of the body, and its end; the end is null if only the last chunk marks it. */
interface Head {
  readonly status: number;
  readonly start: number;
  readonly end: number | null;
}

/** A client of one base URL that sends the same headers with each request. */
export function httpClient(url: string, headers: Record<string, string>, { keepsBodies = true } = {}): HttpClient {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/$/, '');
  const common = Object.entries({ host: base.host, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const idle: Connection[] = [];
  const all = new Set<Connection>();

  const isKept = (head: Head | undefined) => keepsBodies || !head || head.status >= 300;

  const receive = (connection: Connection, chunk: Buffer): void => {
    if (connection.size === 0) {
      // Most answers arrive whole.
      const head = parseHead(chunk);
      const isAll = head !== undefined && head.end !== null && chunk.length >= head.end;
      if (isAll) {
        settle(connection, { status: head.status, body: isKept(head) ? bodyOf(head, chunk) : '' });
        return;
      }
    }
    // The buffer of the connection is reused, so a kept body is copied.
    if (isKept(connection.head)) connection.received.push(Buffer.from(chunk));
    connection.size += chunk.length;
    connection.tail = Buffer.concat([connection.tail, chunk.subarray(-5)]).subarray(-5);
    connection.head ??= parseHead(Buffer.concat(connection.received));
    const { head, received } = connection;
    if (head && isWhole(connection, head)) settle(connection, new LongAnswer(head, received));
  };

  const settle = (connection: Connection, answer: HttpAnswer): void => {
    Object.assign(connection, newAnswer());
    idle.push(connection);
    connection.answered?.(answer);
  };

  const open = (): Connection => {
    const onread = {
      buffer: Buffer.alloc(bufferSize),
      callback: (length: number, buffer: Uint8Array) => {
        receive(connection, Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    };
    const socket = connect({ port: Number(base.port || 80), host: base.hostname, onread }).setNoDelay(true);
    const connection: Connection = { socket, answered: undefined, failed: undefined, ...newAnswer() };
    all.add(connection);
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

const bufferSize = 256 * 1024;
const newAnswer = () => ({ received: [], size: 0, tail: Buffer.alloc(0), head: undefined });

function parseHead(received: Buffer): Head | undefined {
  const text = received.toString('latin1', 0, 4096);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return { status: Number(head.slice(9, 12)), start: end + 4, end: isChunked ? null : end + 4 + length };
}

function isWhole({ size, tail }: Connection, { end }: Head): boolean {
  return end === null ? tail.toString('latin1') === '0\r\n\r\n' : size >= end;
}

/** A class, because an object literal with a getter would outlive the request by far, and the client's garbage would be measured, too. */
class LongAnswer implements HttpAnswer {
  readonly status: number;
  private readonly head: Head;
  private readonly received: readonly Buffer[];

  constructor(head: Head, received: readonly Buffer[]) {
    this.status = head.status;
    this.head = head;
    this.received = received;
  }

  get body(): string {
    return bodyOf(this.head, Buffer.concat(this.received));
  }
}

function bodyOf({ start, end }: Head, all: Buffer): string {
  return end === null ? joinChunks(all.subarray(start)) : all.toString('utf8', start, end);
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
