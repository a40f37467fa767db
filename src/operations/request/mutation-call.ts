// One mutation: its idempotency key, and what it has written so far.

import { createHash } from 'node:crypto';
import type { CallKey, Written } from '../../db/writes/contract.ts';
import type { Identity } from '../../domain/identity.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { InputCheck } from './input.ts';

/** The input of every mutation. */
export interface KeyedInput {
  readonly idempotencyKey?: Optional<string>;
}

/** The state of a mutation while it runs. */
export class MutationCall {
  /** The field. */
  readonly operation: string;
  readonly eventIds: number[] = [];
  /** Whether the audit log has a line about it. */
  isAudited = false;
  replayed = false;
  #key: CallKey | null;

  /** Refuses INVALID_INPUT for an invalid key. The order in which the input names its fields does not matter. */
  constructor(operation: string, input: KeyedInput, identity: Identity | null) {
    this.operation = operation;
    const { idempotencyKey: key, ...rest } = input;
    const check = new InputCheck();
    check.text(['idempotencyKey'], key, limits.idempotencyKeyLength);
    check.done();
    const principal = () => JSON.stringify([identity?.user, identity?.project]);
    const hash = () =>
      createHash('sha256')
        .update(JSON.stringify(sorted(rest)))
        .digest('hex');
    this.#key = typeof key === 'string' ? { principal: principal(), operation, key, hash: hash() } : null;
  }

  get key(): CallKey | null {
    return this.#key;
  }

  /** Runs a part, whose answer is stored under the key and the name of the part: it is not the answer of the mutation. */
  async runPart<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const [key, replayed] = [this.#key, this.replayed];
    if (key) this.#key = { ...key, operation: `${key.operation} ${name}` };
    try {
      return await run();
    } finally {
      this.#key = key;
      this.replayed = replayed;
    }
  }

  /** Records an answer. A key has only one answer, so it is used up. */
  note({ eventId, replayed }: Written): void {
    if (typeof eventId === 'number') this.eventIds.push(eventId);
    if (replayed) this.replayed = true;
    this.#key = null;
  }
}

/** A canonical form: the fields of objects are sorted, and null fields are treated as omitted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  const given = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return given.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, sorted(part)]);
}
