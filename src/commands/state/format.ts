// The file of an export: a line of JSON for each object, `{"provider": {…}}`, between a header with the counts and an end with the digest. Marks in between
// contain the digest so far, so that damage is located to within a thousand lines. Knows nothing of databases.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type StateCounts, type StateNoun, stateNouns } from '../../db/state.ts';

const format = 1;
const entriesBetweenMarks = 1000;
/** In bytes. */
const longestLine = 64 * 1024 * 1024;
const newline = 10;

const count = z.int().nonnegative();
const uuid = z.guid();
const moment = z.iso.datetime({ offset: true });
const names = z.array(z.string());
/** What a consumer holds, or a reservation keeps, on a provider. */
const amounts = z.array(z.strictObject({ provider: uuid, resourceClass: z.string(), amount: z.int() }));

/** The records that an import counts by. Everything in them may be missing, or null. */
const kindsOfQuotas: ReadonlySet<string> = new Set(['project_quotas', 'default_quotas']);
const text = z.string().nullish();
const quotas = z.looseObject({
  parent: text,
  quotas: z.array(
    z.looseObject({ user: text, consumerType: text, resourceClass: text, aggregate: uuid.nullish(), amount: z.int().nullish() }),
  ),
});

const bodies = {
  resourceClass: z.string(),
  trait: z.string(),
  project: z.string(),
  user: z.string(),
  consumerType: z.string(),
  aggregate: z.strictObject({ uuid, name: z.string().nullable() }),
  provider: z.strictObject({
    uuid,
    name: z.string(),
    generation: count,
    parent: uuid.nullable(),
    createdAt: moment,
    updatedAt: moment,
    traits: names,
    aggregates: z.array(uuid),
    inventories: z.array(
      z.strictObject({
        resourceClass: z.string(),
        total: z.int(),
        reserved: z.int(),
        minUnit: z.int(),
        maxUnit: z.int(),
        stepSize: z.int(),
        allocationRatio: z.number(),
      }),
    ),
    devices: z.array(z.looseObject({ address: z.string() })),
  }),
  reservation: z.strictObject({
    uuid,
    generation: count,
    project: z.string(),
    startsAt: moment,
    endsAt: moment,
    createdAt: moment,
    updatedAt: moment,
    amounts,
  }),
  consumer: z.strictObject({
    uuid,
    generation: count,
    project: z.string(),
    user: z.string(),
    type: z.string().nullable(),
    createdAt: moment,
    updatedAt: moment,
    // Missing if it lasts.
    expiresAt: moment.nullable().default(null),
    // Missing if it claims from none.
    reservation: uuid.exactOptional(),
    allocations: amounts.min(1),
  }),
  service: z.strictObject({
    host: z.string(),
    program: z.string(),
    version: z.int(),
    disabled: z.boolean(),
    disabledReason: z.string().nullable(),
    forcedDown: z.boolean(),
    updatedAt: moment,
  }),
  record: z
    .strictObject({ kind: z.string(), name: z.string(), uuid, updatedAt: moment, body: z.looseObject({}) })
    .superRefine(({ kind, body }, context) => {
      const faults = kindsOfQuotas.has(kind) ? quotas.safeParse(body).error?.issues : [];
      for (const { message, path } of faults ?? []) context.addIssue({ code: 'custom', message, path: ['body', ...path] });
    }),
} satisfies Record<StateNoun, z.ZodType>;

const progress = z.strictObject({ lines: count, sha256: z.string() });
const header = z.strictObject({
  format: z.literal(format, `an export of another format: this release reads ${format}`),
  // The count of reservations is missing if there are none, so that 0.1.0 can read the export.
  counts: z.preprocess((counts) => ({ reservation: 0, ...(counts as object) }), z.record(z.enum(stateNouns), count)),
});

/** The body of a line, by its noun. */
export type Body<Noun extends StateNoun> = z.infer<(typeof bodies)[Noun]>;
/** The content of a line, with its number, from 1. */
export type StateEntry = {
  [Noun in StateNoun]: {
    readonly noun: Noun;
    readonly body: Body<Noun>;
    readonly line: number;
    /** The length of the line in bytes. */
    readonly length: number;
  };
}[StateNoun];

/** A file that no export wrote, or that is damaged. */
class ExportFault extends Error {}

/** Makes the lines of a file, each with its newline, from the objects that the database sends. */
export class StateWriter {
  readonly #seen = new Seen();
  #announced = 0;
  #entries = 0;

  header(counts: StateCounts): string {
    this.#announced = total(counts);
    const { reservation, ...others } = counts;
    return this.#line({ header: { format, counts: reservation > 0 ? counts : others } });
  }

  /** `body` is JSON. */
  entry(noun: StateNoun, body: string): string {
    this.#entries += 1;
    const line = this.#seen.take(Buffer.from(`{"${noun}":${body}}\n`));
    return this.#entries % entriesBetweenMarks === 0 ? line + this.#line({ mark: this.#seen.soFar() }) : line;
  }

  /** Throws if the number of entries is not that of the header. */
  end(): string {
    if (this.#entries !== this.#announced) {
      throw new Error(`only ${this.#entries} of the ${this.#announced} objects of the ledger can be exported: run audit`);
    }
    return this.#line({ end: this.#seen.soFar() });
  }

  #line(content: object): string {
    return this.#seen.take(Buffer.from(`${JSON.stringify(content)}\n`));
  }
}

/** Counts the lines so far, and computes their digest. */
class Seen {
  #lines = 0;
  readonly #hash: Hash = createHash('sha256');

  take(line: Buffer): string {
    this.#lines += 1;
    this.#hash.update(line);
    return line.toString();
  }

  soFar(): z.infer<typeof progress> {
    return { lines: this.#lines, sha256: this.#hash.copy().digest('hex') };
  }
}

export function total(counts: StateCounts): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0);
}

/** The header and the end of a file. */
export interface StateFile {
  readonly counts: StateCounts;
  readonly sha256: string;
}

/**
 * Reads a file, checks every line and yields its entries, with the memory of one line. It yields entries before it knows whether the file is complete. Throws
 * ExportFault, with the number of the line, for anything that no export wrote.
 */
export async function* readStateFile(path: string): AsyncGenerator<StateEntry, StateFile> {
  const seen = new Seen();
  let counts: StateCounts | null = null;
  let end: StateFile | null = null;
  const found = new Map<StateNoun, number>();
  let [line, marked, place] = [0, 0, 0];
  for await (const bytes of linesOf(path)) {
    line += 1;
    const fault = (what: string) => new ExportFault(`line ${line} of ${path} ${what}`);
    if (end) throw fault('comes after the end');
    const [noun, body] = parseLine(bytes) ?? [];
    if (noun === undefined) throw fault('is damaged or cut off');
    const read = <Shape extends z.ZodType>(shape: Shape): z.infer<Shape> => {
      const answer = shape.safeParse(body);
      if (answer.success) return answer.data;
      throw fault(`is not what an export writes: ${z.prettifyError(answer.error).replaceAll('\n', ' ')}`);
    };
    if (counts === null) {
      if (noun !== 'header') throw fault('is not the header of an export');
      ({ counts } = read(header));
    } else if (noun === 'mark' || noun === 'end') {
      const told = read(progress);
      if (!isDeepStrictEqual(told, seen.soFar()))
        throw new ExportFault(`one of the lines ${marked + 1} to ${line} of ${path} is damaged or missing`);
      marked = line;
      if (noun === 'end') end = { counts, sha256: told.sha256 };
    } else {
      const at = (stateNouns as readonly string[]).indexOf(noun);
      const known = stateNouns[at];
      if (known === undefined) throw fault(`has the unknown key ${JSON.stringify(noun)}`);
      if (at < place) throw fault(`has ${noun}, after ${stateNouns[place]}`);
      place = at;
      found.set(known, (found.get(known) ?? 0) + 1);
      yield { noun: known, body: read(bodies[known]), line, length: bytes.length } as StateEntry;
    }
    seen.take(bytes);
  }
  if (!end) throw new ExportFault(`line ${line} of ${path} is the last one, but not the end of an export: the file was cut off`);
  for (const noun of stateNouns) {
    if ((found.get(noun) ?? 0) !== end.counts[noun]) throw new ExportFault(`the count of ${noun} in ${path} differs from its line 1`);
  }
  return end;
}

/** The one key of a line, and its value; null for any other line. */
function parseLine(bytes: Buffer): readonly [noun: string, body: unknown] | null {
  if (bytes.at(-1) !== newline) return null;
  try {
    const [entry, ...others] = Object.entries(JSON.parse(bytes.toString()) as object);
    return entry && others.length === 0 ? entry : null;
  } catch {
    return null;
  }
}

/** The lines of a file as bytes, each with its newline; the last one may have none. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, at + 1));
      yield Buffer.concat(parts);
      [parts, held, from] = [[], 0, at + 1];
    }
    held += chunk.length - from;
    if (held > longestLine) throw new ExportFault(`${path} has a line of more than ${longestLine} bytes: it is not an export`);
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (held > 0) yield Buffer.concat(parts);
}
