// The answers of one subscription, pulled one by one. A message of its source is divided until its answer is within the limits of objects and bytes. An
// object, not an async generator: see live-stream.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../domain/limits.ts';
import type { Divisible } from '../../operations/live/divisible.ts';
import { requestError } from '../errors.ts';

/** A message of a stream. */
export interface Message extends Divisible<Message> {}

/** An answer, for all subscribers that get the same one. */
export interface Answer {
  /** Its JSON; null when it is larger than an answer may be. */
  readonly json: string | null;
  /** The number of its objects. */
  readonly made: number;
}

export interface AnswerSteps {
  /** The answer to a message. Heavy answers wait for their turn. */
  answer(message: Message, how: { readonly isHeavy: boolean; readonly isOver: () => boolean }): Promise<Answer>;
  /** Seconds until the caller's budget allows another answer. */
  secondsUntilNext(): number;
  charge(objects: number): void;
  /** The JSON of a last answer, with the reason. */
  renderFailure(error: unknown): string;
  onEnd(answered: number): void;
  /** The expected number of objects in a part of a message, until the first part is made. */
  readonly cost: number;
}

/** The expected number of bytes in a part of a message, until the first part is made. */
const bytesOfPart = 256;

export class Answers implements AsyncIterableIterator<string, undefined> {
  readonly #messages: AsyncIterator<Message, undefined>;
  readonly #steps: AnswerSteps;
  /** The remaining parts of divided messages. */
  #rest: Message[] = [];
  #objectsOfPart: number;
  #isMeasured = false;
  #bytesOfPart = bytesOfPart;
  #answered = 0;
  #failure: { readonly error: unknown } | null = null;
  #isOver = false;

  constructor(messages: AsyncIterator<Message, undefined>, steps: AnswerSteps) {
    this.#messages = messages;
    this.#steps = steps;
    this.#objectsOfPart = steps.cost;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#isOver) return { done: true, value: undefined };
    try {
      await this.#waitForBudget();
      const message = this.#rest.shift() ?? (await this.#pull());
      const json = message && (await this.#answer(message));
      if (this.#failure) throw this.#failure.error;
      if (json === null || this.#isOver) return await this.return();
      this.#answered += 1;
      return { done: false, value: json };
    } catch (error) {
      if (this.#isOver && !this.#failure) return { done: true, value: undefined };
      // The last answer gives the reason.
      await this.return();
      return { done: false, value: this.#steps.renderFailure(error) };
    }
  }

  async #waitForBudget(): Promise<void> {
    for (;;) {
      const seconds = this.#steps.secondsUntilNext();
      if (seconds <= 0 || this.#isOver || this.#failure) return;
      await sleep(Math.min(seconds, 1) * 1000);
    }
  }

  async #pull(): Promise<Message | null> {
    if (this.#failure) throw this.#failure.error;
    const { done, value } = await this.#messages.next();
    return done ? null : value;
  }

  /** The answer to a message, or to as much of it as fits into one; the rest comes next. */
  async #answer(message: Message): Promise<string> {
    let part = message;
    let most = Math.floor(Math.min(limits.streamMessageCost / this.#objectsOfPart, limits.streamMessageSize / this.#bytesOfPart));
    for (;;) {
      if (part.parts > Math.max(1, most)) {
        const [first, others] = part.divide(Math.max(1, most));
        this.#rest.unshift(others);
        part = first;
      }
      // An estimate is for the most that an event may have. A single one seldom has that much, and turns heavy if it has.
      const isHeavy = (this.#isMeasured || part.parts > 1) && part.parts * this.#objectsOfPart > limits.lightMessageCost;
      const { json, made } = await this.#steps.answer(part, { isHeavy, isOver: () => this.#isOver || this.#failure !== null });
      this.#steps.charge(made + 1);
      if (json !== null) {
        if (part.parts > 0) {
          this.#isMeasured = true;
          this.#objectsOfPart = Math.max(1, made / part.parts);
          this.#bytesOfPart = json.length / part.parts;
        }
        return json;
      }
      if (part.parts <= 1) throw tooLarge();
      most = Math.floor(part.parts / 2);
    }
  }

  /** Ends the stream with an error as its last answer. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    void this.#messages.return?.();
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#rest = [];
      this.#steps.onEnd(this.#answered);
      await this.#messages.return?.();
    }
    return { done: true, value: undefined };
  }

  throw(): Promise<IteratorResult<string, undefined>> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function tooLarge() {
  const limit = limits.streamMessageSize;
  const message = `A single event makes a message of more than ${limit} bytes: subscribe again from the last cursor, with smaller pages or fewer fields.`;
  return requestError('COST_LIMIT_EXCEEDED', message, { limit, measure: 'bytes' });
}
