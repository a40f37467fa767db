// Answers that many subscribers get alike: executed once and rendered once for each message of their source.
import type { ExecutionResult } from 'graphql';

export class SharedAnswers {
  readonly #known = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();

  /** The answer of a document to a message. */
  once(message: object, document: string, answer: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
    const answers = this.#known.get(message) ?? new Map<string, Promise<ExecutionResult>>();
    this.#known.set(message, answers);
    const known = answers.get(document) ?? answer();
    answers.set(document, known);
    return known;
  }
}

const rendered = new WeakMap<ExecutionResult, string>();

/** The JSON of an answer. */
export function jsonOf(answer: ExecutionResult): string {
  const known = rendered.get(answer) ?? JSON.stringify(answer);
  rendered.set(answer, known);
  return known;
}
