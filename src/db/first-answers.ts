// Reads the answers stored under idempotency keys. The writes themselves take the keys and store the answers
// (writes/steps/find_first_answer.sql).
import { type Db, mainHandleOf, notedByAll } from './sql/client.ts';
import type { CallKey, Written } from './writes/contract.ts';
import { readKept } from './writes/kept-answers.ts';

/** The answer under a key and the hash of its input. */
export interface FirstAnswer<Answer extends Written> {
  readonly hash: string;
  readonly answer: Answer;
}

interface Question {
  /** Of its request. */
  readonly db: Db;
  readonly key: CallKey;
  readonly resolve: (first: FirstAnswer<Written> | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The questions that wait for the next read, while one is in progress. */
const questionsOf = new WeakMap<Db, Question[]>();

/** The answer under a key and the hash of its input; null when there is none. Questions that arrive while others are being answered share the next statement. */
export function selectFirstAnswer<Answer extends Written>(db: Db, key: CallKey): Promise<FirstAnswer<Answer> | null> {
  const first = new Promise<FirstAnswer<Written> | null>((resolve, reject) => {
    const question = { db, key, resolve, reject };
    const main = mainHandleOf(db);
    const waiting = questionsOf.get(main);
    if (waiting) waiting.push(question);
    else void answerAll(main, question);
  });
  return first as Promise<FirstAnswer<Answer> | null>;
}

/** Answers questions until none is left; never rejects. */
async function answerAll(db: Db, first: Question): Promise<void> {
  for (let questions = [first]; questions.length > 0; questions = questionsOf.get(db) ?? []) {
    questionsOf.set(db, []);
    try {
      const answers = await selectFirstAnswers(db, questions);
      for (const [place, { resolve, reject }] of questions.entries()) {
        const first = answers.get(place);
        try {
          resolve(first ? { hash: first.hash, answer: readKept(first.answer) as Written } : null);
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }
  questionsOf.delete(db);
}

interface StoredAnswer {
  readonly hash: string;
  readonly answer: object;
}

/** By the places of the questions. */
async function selectFirstAnswers(db: Db, questions: readonly Question[]): Promise<ReadonlyMap<number, StoredAnswer>> {
  const shared = notedByAll(
    db,
    questions.map((question) => question.db),
  );
  const column = (name: 'principal' | 'operation' | 'key') => questions.map(({ key }) => key[name]);
  const rows = await shared.sql<(StoredAnswer & { readonly place: number })[]>`
    select asked.place::int - 1 as place, first.hash, first.answer
    from unnest(${column('principal')}::text[], ${column('operation')}::text[], ${column('key')}::text[]) with ordinality
      as asked(principal, operation, key, place)
    cross join lateral (
      select k.input_hash as hash, k.answer from idempotency_keys k
      where k.principal = asked.principal and k.operation = asked.operation and k.key = asked.key
      offset 0
    ) first`;
  return new Map(rows.map(({ place, ...stored }) => [place, stored]));
}
