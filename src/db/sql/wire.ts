// A connection to a server as the driver uses it, in place of a socket: makes and encrypts the connection, checks what arrives, and notices its end.
// Knows sockets and TLS; no statement.
//
// The driver learns of the end of a connection only after it has written everything that it had begun: it would otherwise write to a closed socket, where
// nothing catches the error, or keep the rest for its next connection.
import { EventEmitter } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions as EncryptionOptions, connect as encrypt } from 'node:tls';
import type { DriverSocket } from './driver.ts';
import { Frames, ProtocolFault } from './frames.ts';

export type Address = { readonly host: string; readonly port: number } | { readonly path: string };

/** As the driver takes it: false, a mode of libpq, or options of a TLS connection. */
export type Encryption = boolean | string | object;

export interface WireOptions {
  readonly address: Address;
  readonly encryption: Encryption;
  /** Milliseconds within which the server must accept the session. */
  readonly connectTime: number;
  /** Why a server that accepts the session is the wrong one; null if it is the right one. */
  readonly objection?: (parameters: ReadonlyMap<string, string>) => string | null;
  /** The driver knows that the server is ready for the next statement. */
  readonly onReady?: () => void;
  /** The connection is over; the driver does not know it yet. */
  readonly onEnd?: (cause: Error) => void;
}

/** Milliseconds of silence after which the system checks that the other side is there. */
const keepAliveAfter = 5000;
/** Bytes that arrive at once when an answer is long: as many as are read at once at most. */
const longPart = 32 * 1024;
/** Milliseconds that the server has to close a connection that we ended. */
const partingTime = 1000;
const encryptionRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const farewell = Buffer.from([0x58, 0, 0, 0, 4]);
const yes = 0x53;
const no = 0x4e;

/** An error of a connection, with a code like those of the driver and of the system. */
export class ConnectionFault extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionFault';
    this.code = code;
  }
}

/** Has the methods and events of a socket that the driver uses. */
export class Wire extends EventEmitter implements DriverSocket {
  /** `performance.now()` when the server last sent something, or when the connection was begun. */
  heardAt = performance.now();
  /** Whether anything of the present statement was sent. */
  hasSent = false;
  private readonly options: WireOptions;
  private readonly frames = new Frames();
  private readonly greetingTimer: NodeJS.Timeout;
  private socket: Socket;
  /** What the driver wrote before the connection was open; null from then on. */
  private unsent: Uint8Array[] | null = [];
  private isLeaving = false;
  private isOver = false;

  constructor(options: WireOptions) {
    super();
    this.options = options;
    const late = () => this.fail(new ConnectionFault('CONNECT_TIMEOUT', 'the server did not accept the session in time'));
    this.greetingTimer = setTimeout(late, options.connectTime);
    this.socket = connect(options.address);
    this.watch(this.socket);
    this.socket.on('connect', () => this.greet());
  }

  /** The process of the server that serves this connection, or the number that a pooler gives for it. */
  get processId(): number | null {
    return this.frames.processId;
  }

  get readyState(): 'open' | 'closed' {
    return this.isOver ? 'closed' : 'open';
  }

  write(bytes: Uint8Array): boolean {
    if (this.isOver) return false;
    if (this.unsent) {
      // The driver reuses its buffer.
      this.unsent.push(Buffer.from(bytes));
      return true;
    }
    if (this.frames.isGreeted) this.hasSent = true;
    return this.socket.write(bytes);
  }

  /** Ends the connection in an orderly way; by force if the server does not close it soon. */
  end(bytes: Uint8Array = farewell): void {
    this.isLeaving = true;
    this.socket.end(bytes);
    setTimeout(() => this.socket.destroy(), partingTime).unref();
  }

  destroy(cause: Error = new ConnectionFault('CONNECTION_DESTROYED', 'the connection was given up')): void {
    this.fail(cause);
  }

  private watch(socket: Socket): void {
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new ConnectionFault('CONNECTION_CLOSED', 'the server closed the connection')));
  }

  private greet(): void {
    this.socket.setNoDelay(true);
    this.socket.setKeepAlive(true, keepAliveAfter);
    const { address, encryption } = this.options;
    if (encryption === false || 'path' in address) this.open(this.socket);
    else {
      this.socket.once('data', (answer) => this.encrypt(answer, address.host, encryption));
      this.socket.write(encryptionRequest);
    }
  }

  private encrypt(answer: Buffer, host: string, encryption: Exclude<Encryption, false>): void {
    const isOptional = encryption === 'prefer' || encryption === 'allow';
    // Anything after the answer cannot be trusted, because it was not encrypted.
    if (answer.length !== 1) this.fail(new ProtocolFault('an answer before it was encrypted'));
    else if (answer[0] === yes) this.secure(host, encryption, isOptional);
    else if (answer[0] === no && isOptional) this.open(this.socket);
    else this.fail(new ConnectionFault('NOT_SENT', 'the server does not encrypt connections'));
  }

  private secure(host: string, encryption: Exclude<Encryption, false>, isOptional: boolean): void {
    const options: EncryptionOptions = { socket: this.socket, host, ...(isIP(host) ? {} : { servername: host }) };
    if (isOptional || encryption === 'require') options.rejectUnauthorized = false;
    const socket = encrypt(typeof encryption === 'object' ? Object.assign(options, encryption) : options);
    this.watch(socket);
    socket.on('secureConnect', () => this.open(socket));
  }

  private open(socket: Socket): void {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.receive(bytes);
      if (bytes.length >= longPart) this.pauseBriefly(socket);
    });
    for (const bytes of this.unsent ?? []) socket.write(bytes);
    this.unsent = null;
  }

  /** Leaves the rest of a long answer to the next turn of the event loop: all that has arrived would otherwise be read in one turn. */
  private pauseBriefly(socket: Socket): void {
    socket.pause();
    setImmediate(() => socket.resume());
  }

  private receive(bytes: Buffer): void {
    if (this.isOver) return;
    this.heardAt = performance.now();
    const { isGreeted, readyCount } = this.frames;
    let whole: Buffer;
    try {
      whole = this.frames.take(bytes);
      const objection = this.frames.isGreeted && !isGreeted ? this.options.objection?.(this.frames.parameters) : null;
      if (objection) throw new ConnectionFault('NOT_SENT', objection);
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    const isReady = this.frames.readyCount > readyCount;
    if (!isGreeted && this.frames.isGreeted) clearTimeout(this.greetingTimer);
    if (isReady) this.hasSent = false;
    if (whole.length > 0) this.emit('data', whole);
    const { refusal } = this.frames;
    if (refusal) this.fail(new ConnectionFault(refusal.code, `the server ended the connection: ${refusal.message}`));
    else if (isReady) this.options.onReady?.();
  }

  private fail(cause: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.greetingTimer);
    this.socket.destroy();
    this.options.onEnd?.(cause);
    // What the driver wrote is sent in the next turn at the latest, and what it wrote in answer to that in the one after.
    setImmediate(() =>
      setImmediate(() => {
        if (!this.isLeaving && this.listenerCount('error') > 0) this.emit('error', cause);
        this.emit('close', !this.isLeaving);
      }),
    );
  }
}
