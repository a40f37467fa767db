// Answers that are the same for many subscribers: executed and rendered once for each message of their source.
import type { Answer } from './answers.ts';

export class SharedAnswers {
  readonly #known = new WeakMap<object, Map<string, Promise<Answer>>>();

  /** The answer of a document to a message. If making it fails, as when its subscriber leaves, the next subscriber that waits for it makes it. */
  async once(message: object, document: string, answer: () => Promise<Answer>): Promise<Answer> {
    const answers = this.#known.get(message) ?? new Map<string, Promise<Answer>>();
    this.#known.set(message, answers);
    for (;;) {
      const known = answers.get(document);
      if (known === undefined) break;
      const shared = await known.catch(() => null);
      if (shared !== null) return shared;
    }
    const made = answer();
    answers.set(document, made);
    made.catch(() => answers.delete(document));
    return made;
  }
}
