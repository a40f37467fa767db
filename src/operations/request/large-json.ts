// Parses large JSON in parts, so that it does not hold the event loop. Does not know what the JSON is about. Streaming parsers from npm look
// at each character in JavaScript, which takes six times as long (@streamparser/json 0.0.26), and bound neither depth nor length; here JSON.parse does the work.
import { limits } from '../../domain/limits.ts';
import { inTurn } from './event-loop-share.ts';

/** Bytes of a body that is parsed at once: claims and the reports of hosts are smaller. */
export const smallBody = 64 * 1024;

/** Characters that JSON.parse gets at once: a fraction of a millisecond. */
const pieceLength = 16 * 1024;
const maxMembers = limits.bodyMembers;
const maxDepth = limits.variableDepth;
const maxText = limits.bodyText;

/** Large JSON of a shape that no request has, and that would hold up others. */
export class UnwieldyJson extends Error {}

export type ReadJson = (json: string) => unknown;

/** The value of JSON. Throws what `read` throws, a SyntaxError, or UnwieldyJson. */
export async function parseInParts(text: string, read: ReadJson = JSON.parse): Promise<unknown> {
  const parser = new LargeJson(text, read);
  const value = await parser.value(parser.skipSpace(0), 1);
  if (parser.skipSpace(parser.at) < text.length) throw parser.fault(parser.at);
  return value;
}

class LargeJson {
  /** The end of what was read last. */
  at = 0;
  readonly #text: string;
  readonly #read: ReadJson;

  constructor(text: string, read: ReadJson) {
    this.#text = text;
    this.#read = read;
  }

  fault(at: number): SyntaxError {
    return new SyntaxError(`Unexpected text or end of JSON at position ${at}`);
  }

  skipSpace(from: number): number {
    let at = from;
    for (let unit = this.#text.charCodeAt(at); unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09; ) {
      at += 1;
      unit = this.#text.charCodeAt(at);
    }
    return at;
  }

  async value(from: number, depth: number): Promise<unknown> {
    const first = this.#text[from];
    if (first === '[' || first === '{') {
      if (depth > maxDepth) throw new UnwieldyJson(`A body of this size may nest lists and objects ${maxDepth} deep.`);
      return first === '[' ? this.#list(from + 1, depth) : this.#object(from + 1, depth);
    }
    this.at = first === '"' ? this.#endOfText(from) : this.#endOfWord(from);
    return this.#read(this.#text.slice(from, this.at));
  }

  async #list(from: number, depth: number): Promise<unknown[]> {
    const list: unknown[] = [];
    await this.#members(
      from,
      ']',
      (json) => {
        for (const element of this.#read(`[${json}]`) as unknown[]) list.push(element);
        return list.length;
      },
      async (start) => list.push(await this.value(start, depth + 1)),
    );
    return list;
  }

  async #object(from: number, depth: number): Promise<object> {
    const object: Record<string, unknown> = {};
    let count = 0;
    const add = (name: string, value: unknown) => {
      count += 1;
      // An assignment would change the prototype.
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      else object[name] = value;
      return count;
    };
    await this.#members(
      from,
      '}',
      (json) => {
        for (const [name, value] of Object.entries(this.#read(`{${json}}`) as object)) add(name, value);
        return count;
      },
      async (start) => {
        if (this.#text[start] !== '"') throw this.fault(start);
        const end = this.#endOfText(start);
        const [name = ''] = Object.keys(this.#read(`{${this.#text.slice(start, end)}:0}`) as object);
        const colon = this.skipSpace(end);
        if (this.#text[colon] !== ':') throw this.fault(colon);
        return add(name, await this.value(this.skipSpace(colon + 1), depth + 1));
      },
    );
    return object;
  }

  /** Reads the members of a list or object: as many small ones at once as make a piece, or one large one. Both return how many there are. */
  async #members(
    from: number,
    close: ']' | '}',
    readSmall: (json: string) => number,
    readLarge: (start: number) => Promise<number>,
  ): Promise<void> {
    let start = this.skipSpace(from);
    for (let isFirst = true; ; isFirst = false) {
      const end = this.#endOfSmallMembers(start);
      let count = 0;
      if (end === null) count = await readLarge(start);
      else {
        this.at = end;
        const isEmpty = isFirst && end === start && this.#text[end] === close;
        // Without a member between two commas, JSON.parse says what is wrong.
        if (!isEmpty) count = readSmall(this.#text.slice(start, end) || ',');
      }
      if (count > maxMembers) throw new UnwieldyJson(`A list or object in a body of this size may have ${maxMembers} members.`);
      const turn = inTurn(null);
      if (turn !== null) await turn;

      const after = this.skipSpace(this.at);
      this.at = after + 1;
      if (this.#text[after] === close) return;
      if (this.#text[after] !== ',') throw this.fault(after);
      start = this.skipSpace(after + 1);
    }
  }

  /** The end of the last member from here that ends within a piece; null if the first does not. */
  #endOfSmallMembers(from: number): number | null {
    const text = this.#text;
    let depth = 0;
    let end: number | null = null;
    for (let at = from; at < text.length && at - from <= pieceLength; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) at = this.#endOfTextWithin(at, pieceLength) - 1;
      else if (unit === 0x5b || unit === 0x7b) depth += 1;
      else if (unit === 0x5d || unit === 0x7d) {
        if (depth === 0) return at;
        depth -= 1;
      } else if (unit === 0x2c && depth === 0) end = at;
    }
    return end;
  }

  /** After the closing quote of a text. */
  #endOfText(from: number): number {
    const end = this.#endOfTextWithin(from, maxText);
    if (end - from > maxText + 2) throw new UnwieldyJson(`A text in a body of this size may have ${maxText} characters.`);
    return end;
  }

  /** After the closing quote of a text, or somewhere in it if it is longer. */
  #endOfTextWithin(from: number, longest: number): number {
    let at = from;
    do {
      at = this.#text.indexOf('"', at + 1);
      if (at < 0) throw this.fault(from);
    } while (at - from <= longest && this.#isEscaped(at));
    return at + 1;
  }

  #isEscaped(at: number): boolean {
    let first = at;
    while (this.#text.charCodeAt(first - 1) === 0x5c) first -= 1;
    return (at - first) % 2 === 1;
  }

  /** After a number or a literal name. */
  #endOfWord(from: number): number {
    const found = this.#text.slice(from, from + pieceLength).search(/[\s,\]}]/);
    return found < 0 ? Math.min(this.#text.length, from + pieceLength) : from + found;
  }
}
