// Checks the bytes of a server before the driver gets them: whole messages only, of the kinds that belong to the moment. The driver trusts its server,
// and bytes that were cut, doubled or garbled would make it loop for ever, or reject where nothing catches, which ends the process.
// Knows the messages of Postgres' protocol 3.0; no socket and no statement.

/** The server sent what no Postgres sends. The code is Postgres' own for a violation of the protocol. */
export class ProtocolFault extends Error {
  readonly code = '08P01';

  constructor(what: string) {
    super(`the server does not speak as Postgres does: ${what}`);
    this.name = 'ProtocolFault';
  }
}

const kind = (letter: string) => letter.charCodeAt(0);
const authentication = kind('R');
const errorResponse = kind('E');
const parameterStatus = kind('S');
const keyData = kind('K');
const ready = kind('Z');
const row = kind('D');
const rowDescription = kind('T');
const ends: ReadonlySet<number> = new Set([...'CIE'].map(kind));
/** Those whose content is checked. Few answers have one, and a view of the bytes costs more than the rest of the check. */
const hasContent: ReadonlySet<number> = new Set([authentication, errorResponse, parameterStatus, keyData, rowDescription]);
const inGreeting: ReadonlySet<number> = new Set([...'RSKZEN'].map(kind));
/** The statements of this program copy nothing, suspend no portal and listen to nothing. */
const inAnswers: ReadonlySet<number> = new Set([...'ZDCENSTtn12IA'].map(kind));

const headLength = 5;
/** Greetings and descriptions of answers are small; rows may be large. */
const longestMessage = 1024 * 1024;
const longestRow = 1024 * 1024 * 1024;

const noBytes: Buffer = Buffer.alloc(0);

/** Takes the bytes of one connection as they arrive. */
export class Frames {
  /** Whether the server has accepted the session. */
  isGreeted = false;
  /** Why the server refused the session or ended it. */
  refusal: { readonly code: string; readonly message: string } | null = null;
  /** How many times the server was ready for the next statement. */
  readyCount = 0;
  /** The process of the server that serves the connection, or the number that a pooler gives for it. */
  processId: number | null = null;
  /** The settings that the server has reported. */
  readonly parameters = new Map<string, string>();
  private held: Buffer = noBytes;
  /** The bytes of a row that are still to come. */
  private rest = 0;
  private hasEnd = false;
  private lastMechanismStep = 0;

  /** The bytes to pass on: whole messages, and rows as far as they have arrived. Throws ProtocolFault. */
  take(arrived: Buffer): Buffer {
    const inRow = Math.min(this.rest, arrived.length);
    this.rest -= inRow;
    const bytes = this.held.length > 0 ? Buffer.concat([this.held, arrived]) : arrived;
    let at = inRow;
    while (bytes.length - at >= headLength) {
      const end = this.endOf(bytes, at);
      if (end > bytes.length) {
        if (bytes[at] !== row) break;
        this.rest = end - bytes.length;
        at = bytes.length;
      } else {
        if (bytes[at] !== row) this.check(bytes, at, end);
        at = end;
      }
    }
    if (at === bytes.length) {
      this.held = noBytes;
      return bytes;
    }
    this.held = bytes.subarray(at);
    return bytes.subarray(0, at);
  }

  /** Where the message that begins at a place ends. */
  private endOf(bytes: Buffer, at: number): number {
    const type = bytes[at] ?? 0;
    const length = bytes.readUInt32BE(at + 1);
    const known = this.isGreeted ? inAnswers : inGreeting;
    if (!known.has(type)) throw new ProtocolFault(`a message of the type ${type}`);
    if (length < 4 || length > (type === row ? longestRow : longestMessage)) throw new ProtocolFault(`a message of ${length} bytes`);
    return at + 1 + length;
  }

  private check(bytes: Buffer, at: number, end: number): void {
    const type = bytes[at] ?? 0;
    if (ends.has(type)) this.hasEnd = true;
    if (type === ready) this.checkReady(end - at);
    else if (hasContent.has(type)) this.checkContent(type, bytes.subarray(at, end));
  }

  private checkContent(type: number, message: Buffer): void {
    if (type === authentication) this.checkAuthentication(message);
    else if (type === rowDescription) checkColumns(message);
    else if (type === parameterStatus) this.noteParameter(message);
    else if (type === keyData) {
      if (message.length !== 13) throw new ProtocolFault('a key that is none');
      this.processId = message.readUInt32BE(headLength);
    } else if (type === errorResponse) {
      this.noteError(message);
    }
  }

  private checkReady(length: number): void {
    if (length !== 6) throw new ProtocolFault('ready in other words');
    if (this.isGreeted && !this.hasEnd) throw new ProtocolFault('an answer without an end');
    this.isGreeted = true;
    this.hasEnd = false;
    this.readyCount++;
  }

  private noteError(message: Buffer): void {
    if (message.at(-1) !== 0) throw new ProtocolFault('an error without an end');
    const fields = new Map(
      message
        .toString('utf8', headLength)
        .split('\0')
        .map((field) => [field[0], field.slice(1)]),
    );
    if (this.isGreeted && !/^(FATAL|PANIC)$/.test(fields.get('V') ?? '')) return;
    this.refusal = { code: fields.get('C') ?? '08P01', message: fields.get('M') ?? '' };
  }

  private noteParameter(message: Buffer): void {
    const [name, value, ...others] = message.toString('utf8', headLength, message.length).split('\0');
    if (name === undefined || value === undefined || others.length !== 1) throw new ProtocolFault('a setting without a value');
    this.parameters.set(name, value);
  }

  /** Nothing awaits what the driver computes from these messages, so an error in it would end the process. */
  private checkAuthentication(message: Buffer): void {
    if (message.length < headLength + 4) throw new ProtocolFault('an authentication without a kind');
    const step = message.readUInt32BE(headLength);
    const body = message.toString('latin1', headLength + 4);
    if (!isAuthentication(step, body, this.lastMechanismStep)) throw new ProtocolFault(`an authentication of the kind ${step}`);
    this.lastMechanismStep = step;
  }
}

const authenticated = 0;
const cleartext = 3;
const md5 = 5;
const scram = 10;
const scramContinue = 11;
const scramFinal = 12;
/** More rounds of hashing than any server requires would block the process. */
const mostRounds = 1_000_000;

function isAuthentication(step: number, body: string, before: number): boolean {
  switch (step) {
    case authenticated:
    case cleartext:
      return body === '';
    case md5:
      return body.length === 4;
    case scram:
      return body.split('\0').includes('SCRAM-SHA-256');
    case scramContinue: {
      const rounds = /^r=[!-+\--~]+,s=[A-Za-z\d+/]+={0,2},i=(\d+)$/.exec(body)?.[1];
      return before === scram && rounds !== undefined && Number(rounds) > 0 && Number(rounds) <= mostRounds;
    }
    case scramFinal:
      return before === scramContinue && body.startsWith('v=');
    default:
      return false;
  }
}

/** The driver looks for the end of each name, even beyond the end of the message. */
function checkColumns(message: Buffer): void {
  let at = headLength + 2;
  if (message.length < at) throw new ProtocolFault('columns without a number');
  for (let left = message.readUInt16BE(headLength); left > 0; left--) {
    const end = message.indexOf(0, at);
    if (end === -1) throw new ProtocolFault('a column without a name');
    at = end + 1 + 18;
  }
  if (at !== message.length) throw new ProtocolFault('columns of another number');
}
