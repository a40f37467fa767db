// The answers of one subscription, pulled one by one: a message of its source is divided until an answer has no more objects and bytes than it may have. An
// object and not an async generator: see live-stream.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../domain/limits.ts';
import type { Divisible } from '../../operations/live/divisible.ts';
import { requestError } from '../errors.ts';

/** What streams tell. */
export interface Message extends Divisible<Message> {}

/** An answer, for all subscribers who get the same. */
export interface Answer {
  /** Its JSON; null when it is larger than an answer may be. */
  readonly json: string | null;
  /** Objects. */
  readonly made: number;
}

export interface AnswerSteps {
  /** The answer to a message. Heavy ones wait for their turn. */
  answer(message: Message, how: { readonly isHeavy: boolean; readonly isOver: () => boolean }): Promise<Answer>;
  /** Seconds until the caller may have more; takes what it has got from its budget. */
  secondsUntilNext(): number;
  charge(objects: number): void;
  /** The JSON of an answer that says why there are no more. */
  renderFailure(error: unknown): string;
  onEnd(answered: number): void;
  /** Objects of a part of a message, until some were made. */
  readonly cost: number;
}

/** Bytes of a part of a message, until some were made. */
const bytesOfPart = 256;

export class Answers implements AsyncIterableIterator<string, undefined> {
  readonly #messages: AsyncIterator<Message, undefined>;
  readonly #steps: AnswerSteps;
  /** What is left of messages that were divided. */
  #rest: Message[] = [];
  #objectsOfPart: number;
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
      // The last answer says why there are no more.
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

  /** The answer to a message, or to as much of it as makes one; what is left comes next. */
  async #answer(message: Message): Promise<string> {
    let part = message;
    let most = Math.floor(Math.min(limits.streamMessageCost / this.#objectsOfPart, limits.streamMessageSize / this.#bytesOfPart));
    for (;;) {
      if (part.parts > Math.max(1, most)) {
        const [first, others] = part.divide(Math.max(1, most));
        this.#rest.unshift(others);
        part = first;
      }
      const isHeavy = part.parts * this.#objectsOfPart > limits.lightOperationCost;
      const { json, made } = await this.#steps.answer(part, { isHeavy, isOver: () => this.#isOver || this.#failure !== null });
      this.#steps.charge(made + 1);
      if (json !== null) {
        if (part.parts > 0) {
          this.#objectsOfPart = Math.max(1, made / part.parts);
          this.#bytesOfPart = json.length / part.parts;
        }
        return json;
      }
      if (part.parts <= 1) throw tooLarge();
      most = Math.floor(part.parts / 2);
    }
  }

  /** Ends it with an error as its last answer. */
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
  const message = `What a single event tells is larger than a message may be, ${limit} bytes: subscribe again with smaller pages or fewer fields, from the last cursor.`;
  return requestError('COST_LIMIT_EXCEEDED', message, { limit, measure: 'bytes' });
}
