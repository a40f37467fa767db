// `db health`: advice on the database, with what to do. Changes nothing.
import { selectDatabaseFacts } from '../db/database-health.ts';
import type { Db } from '../db/sql/client.ts';
import { type Advice, adviceOnHealth } from '../domain/database-health.ts';

/** Prints a line for each piece of advice. `wanted`: the connections of one gateway. */
export async function runDatabaseHealth(
  db: Db,
  print: (line: string) => void,
  { wanted }: { readonly wanted: number },
): Promise<readonly Advice[]> {
  const advice = adviceOnHealth(await selectDatabaseFacts(db), { wanted, month: new Date().toISOString().slice(0, 'yyyy-mm'.length) });
  for (const one of advice) print(`${one.about}: ${one.advice}`);
  if (advice.length === 0) print('the database is healthy');
  return advice;
}
