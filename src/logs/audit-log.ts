// The audit log: a stream of JSON lines, apart from the log of the process. No request waits for it: lines go to a bounded buffer, which one write at a time
// empties. While the file cannot be written, for example because the disk is full, the log keeps the lines and tries again every second. Lines that do not
// fit into the buffer are lost; the first line after that says how many.
import { constants, write } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Audit, AuditedAction, AuditedRequest } from '../domain/audit.ts';
import type { Identity } from '../domain/identity.ts';

export interface AuditLog {
  /** Null when nothing is recorded. */
  readonly of: Audit | null;
  /** Reopens the file, for programs that rename it, such as logrotate. */
  readonly reopen: () => void;
  /** Why lines are not written, or were lost; null when all is well. */
  fault(): string | null;
  /** Writes the lines that are left, for at most `closingTime`. */
  readonly close: () => Promise<void>;
}

interface ProcessLog {
  info(line: string): void;
  error(line: string): void;
}

export interface AuditBounds {
  /** Bytes of lines that wait to be written. */
  readonly bytes: number;
  /** Milliseconds before a failed write is tried again, and for the last lines at the end. */
  readonly retryPause: number;
  readonly closingTime: number;
}

const usualBounds: AuditBounds = { bytes: 16 * 1024 * 1024, retryPause: 1000, closingTime: 3000 };
const ownerAndGroup = 0o640;
/** Opening a pipe without a reader would block: with O_NONBLOCK it fails. */
const appending = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK;
/** Bytes of one write to a file. A write that fails is repeated as a whole. */
const maxWrite = 1024 * 1024;
/** Bytes that a pipe takes at once or not at all, so that no line of the process log comes between. */
const maxPipeWrite = 4096;

const off: AuditLog = { of: null, reopen() {}, fault: () => null, close: async () => {} };

/** Opens the audit log: `place` is the path of a file, `stderr` or `off`. Rejects if the file cannot be opened, and says what to do. */
export async function openAuditLog(place: string, log: ProcessLog, bounds: AuditBounds = usualBounds): Promise<AuditLog> {
  if (place === 'off') return off;
  const sink = place === 'stderr' ? standardError : await openFile(place);
  return new BufferedLog(sink, place === 'stderr' ? async () => standardError : () => openFile(place), log, bounds);
}

/** Takes the bytes of lines; returns how many it took. */
interface Sink {
  /** Bytes that it should get in one write. */
  readonly most: number;
  write(bytes: Buffer): Promise<number>;
  close(): Promise<void>;
}

const standardError: Sink = {
  most: maxPipeWrite,
  // Not process.stderr, which waits for the reader of a pipe.
  write: (bytes) =>
    new Promise((resolve, reject) => {
      write(2, bytes, (error, written) => (error ? reject(error) : resolve(written)));
    }),
  close: async () => {},
};

async function openFile(path: string): Promise<Sink> {
  let file: FileHandle;
  try {
    file = await open(path, appending, ownerAndGroup);
  } catch (error) {
    throw new Error(`the audit log ${path} cannot be opened (${codeOf(error)}): let the account of this process write there`);
  }
  const status = await file.stat();
  if (!status.isFile() && !status.isCharacterDevice()) {
    await file.close();
    throw new Error(`the audit log ${path} is not a file: name one, or stderr, or off`);
  }
  return {
    most: maxWrite,
    write: async (bytes) => (await file.write(bytes)).bytesWritten,
    close: () => file.close(),
  };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

class BufferedLog implements AuditLog {
  #lines: Buffer[] = [];
  /** Bytes of the first line that are written already. */
  #begun = 0;
  #waiting = 0;
  #lost = 0;
  #fault: string | null = null;
  #isWriting = false;
  #wantsReopening = false;
  #isGivenUp = false;
  #sink: Sink;
  readonly #open: () => Promise<Sink>;
  readonly #log: ProcessLog;
  readonly #bounds: AuditBounds;

  constructor(sink: Sink, open: () => Promise<Sink>, log: ProcessLog, bounds: AuditBounds) {
    this.#sink = sink;
    this.#open = open;
    this.#log = log;
    this.#bounds = bounds;
  }

  readonly of: Audit = (request, caller, globalRequestId) => (action) => this.#append(lineOf(request, caller, globalRequestId, action));

  readonly reopen = (): void => {
    this.#wantsReopening = true;
    this.#start();
  };

  fault(): string | null {
    return this.#fault ?? (this.#lost > 0 ? `${this.#lost} lines were lost: they came faster than they could be written` : null);
  }

  readonly close = async (): Promise<void> => {
    const end = Date.now() + this.#bounds.closingTime;
    if (this.#waiting > 0) this.#start();
    while (this.#isWriting && Date.now() < end) await pause(10);
    this.#isGivenUp = true;
    if (this.#waiting > 0) this.#log.error(`the end of the audit log was not written: ${this.#lines.length} lines are lost`);
    await this.#sink.close().catch(() => {});
  };

  #append(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waiting + bytes.length > this.#bounds.bytes) {
      this.#lost += 1;
      return;
    }
    this.#lines.push(bytes);
    this.#waiting += bytes.length;
    this.#start();
  }

  #start(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Lines of one turn of the event loop are written together.
    setImmediate(() => void this.#writeAll().finally(() => this.#finish()));
  }

  #finish(): void {
    this.#isWriting = false;
    if (this.#waiting > 0 && !this.#isGivenUp) this.#start();
  }

  async #writeAll(): Promise<void> {
    while ((this.#waiting > 0 || this.#wantsReopening) && !this.#isGivenUp) {
      try {
        if (this.#wantsReopening) await this.#reopenNow();
        await this.#writeSome();
        this.#noteSuccess();
      } catch (error) {
        // The reader of the pipe is behind.
        const isBehind = codeOf(error) === 'EAGAIN';
        if (!isBehind) this.#noteFailure(codeOf(error));
        await pause(isBehind ? this.#bounds.retryPause / 10 : this.#bounds.retryPause, undefined, { ref: false });
      }
    }
  }

  async #reopenNow(): Promise<void> {
    const before = this.#sink;
    this.#sink = await this.#open();
    this.#wantsReopening = false;
    // The part of a line that was written stays in the old file.
    this.#waiting += this.#begun;
    this.#begun = 0;
    await before.close().catch(() => {});
    this.#log.info('the audit log was reopened');
  }

  /** Continues a line that was written in part where it was cut off. */
  async #writeSome(): Promise<void> {
    let count = 0;
    let size = 0;
    for (const { length } of this.#lines) {
      if (count > 0 && size + length > this.#sink.most) break;
      size += length;
      count += 1;
    }
    if (count === 0) return;
    const written = await this.#sink.write(Buffer.concat(this.#lines.slice(0, count)).subarray(this.#begun));
    this.#waiting -= written;
    let rest = this.#begun + written;
    let whole = 0;
    for (let line = this.#lines[0]; line && rest >= line.length; line = this.#lines[whole]) {
      rest -= line.length;
      whole += 1;
    }
    this.#lines.splice(0, whole);
    this.#begun = rest;
  }

  #noteSuccess(): void {
    const lost = this.#lost;
    if (this.#fault === null && lost === 0) return;
    this.#fault = null;
    this.#lost = 0;
    this.#log.error(`the audit log is written again; ${lost} lines were lost`);
    if (lost > 0) this.#append(`${JSON.stringify({ at: new Date().toISOString(), outcome: 'lost', lines: lost })}\n`);
  }

  #noteFailure(code: string): void {
    if (this.#fault === null) {
      this.#log.error(
        `the audit log cannot be written (${code}): requests are still served; up to ${this.#bounds.bytes} bytes of lines are kept, later ones are lost`,
      );
    }
    this.#fault = `cannot be written (${code})`;
  }
}

/** A caller can write anything into the path. */
const maxPath = 500;

function lineOf(request: AuditedRequest, caller: Identity | null, globalRequestId: string | null, action: AuditedAction): string {
  const path = request.target?.path.slice(0, maxPath);
  const line = {
    at: new Date().toISOString(),
    ...action,
    user: caller?.user ?? null,
    project: caller?.project ?? null,
    roles: caller?.roles ?? [],
    method: caller?.method ?? null,
    ...(caller?.service && { service: caller.service.user }),
    address: request.ip === '' ? null : request.ip,
    request: path === undefined ? null : `${request.method} ${path}`,
    requestId: request.id,
    globalRequestId,
  };
  return `${JSON.stringify(line)}\n`;
}
