// The messages of a subscription as the page shows them: its state, and the newest messages first. Bounded, however long it is watched.

const mostMessages = 100;
/** Characters. */
const mostText = 200_000;

interface Message {
  readonly at: string;
  readonly answer: object;
  readonly size: number;
}

/** What is shown, as JSON. */
export interface Shown {
  readonly state: string;
  readonly messageCount: number;
  readonly omittedCount: number;
  readonly messages: readonly object[];
}

export class Transcript {
  #state = 'connecting';
  #count = 0;
  #messages: readonly Message[] = [];

  note(state: string): void {
    this.#state = state;
  }

  add(answer: object, at: string): void {
    this.#count += 1;
    const all = [{ at, answer, size: JSON.stringify(answer).length }, ...this.#messages];
    let text = 0;
    // The newest message is always kept, however long.
    this.#messages = all.slice(0, mostMessages).filter(({ size }, index) => {
      text += size;
      return index === 0 || text <= mostText;
    });
  }

  show(): Shown {
    return {
      state: this.#state,
      messageCount: this.#count,
      omittedCount: this.#count - this.#messages.length,
      messages: this.#messages.map(({ at, answer }) => ({ at, ...answer })),
    };
  }
}
