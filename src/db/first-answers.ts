// Reads the answers stored under idempotency keys. The writes themselves take the keys and store the answers
// (writes/steps/find_first_answer.sql).
import type { Db } from './sql/client.ts';
import { wholeAnswer } from './writes/claim-batch.ts';
import type { CallKey, Written } from './writes/contract.ts';

/** The answer under a key and the hash of its input; null when there is none. */
export async function selectFirstAnswer<Answer extends Written>(
  { sql }: Db,
  { principal, operation, key }: CallKey,
): Promise<{ hash: string; answer: Answer } | null> {
  const [row] = await sql<{ hash: string; answer: object }[]>`
    select input_hash as hash, answer || '{"replayed": true}' as answer from idempotency_keys
    where principal = ${principal} and operation = ${operation} and key = ${key}`;
  return row ? { hash: row.hash, answer: wholeAnswer(row.answer) as Answer } : null;
}
