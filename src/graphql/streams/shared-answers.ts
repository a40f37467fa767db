// Answers that many subscribers get alike: executed once and rendered once for each message of their source.
import type { Answer } from './answers.ts';

export class SharedAnswers {
  readonly #known = new WeakMap<object, Map<string, Promise<Answer>>>();

  /** The answer of a document to a message. */
  once(message: object, document: string, answer: () => Promise<Answer>): Promise<Answer> {
    const answers = this.#known.get(message) ?? new Map<string, Promise<Answer>>();
    this.#known.set(message, answers);
    const known = answers.get(document) ?? answer();
    answers.set(document, known);
    return known;
  }
}
