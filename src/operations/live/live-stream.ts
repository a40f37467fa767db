// The messages of one subscription, pulled one by one: nothing is made for a reader that has not taken the last one. This is an object because an async
// generator cannot be ended while it waits: a client that leaves in silence would be counted for ever.

type Pulled<Message> = IteratorResult<Message, undefined>;

export abstract class LiveStream<Message> implements AsyncIterableIterator<Message, undefined> {
  #waiting: { readonly resolve: (pulled: Pulled<Message>) => void; readonly reject: (error: unknown) => void } | null = null;
  #isOver = false;
  #endsNext = false;
  /** When the last message was taken, as performance.now(). */
  #takenAt = performance.now();
  readonly #onEnd: () => void;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Whether the reader waits for a message. */
  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  /** Milliseconds since the reader got something. */
  get silence(): number {
    return performance.now() - this.#takenAt;
  }

  next(): Promise<Pulled<Message>> {
    if (this.#endsNext) this.#end();
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Passes a message to a reader that waits. */
  protected deliver(message: Message, { isLast = false } = {}): void {
    const waiting = this.#waiting;
    if (!waiting) throw new Error('a message for nobody');
    this.#waiting = null;
    this.#takenAt = performance.now();
    this.#endsNext = isLast;
    waiting.resolve({ done: false, value: message });
  }

  /** Ends with an error. */
  fail(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#end();
    waiting?.reject(error);
  }

  return(): Promise<Pulled<Message>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<Pulled<Message>> {
    this.#end();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#waiting?.resolve({ done: true, value: undefined });
    this.#waiting = null;
  }
}
