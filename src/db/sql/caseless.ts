// The rule of domain/caseless.ts in SQL: finding a text in a column, ignoring case.
import { type SQL, sql } from 'drizzle-orm';
import { caselessText } from '../../domain/caseless.ts';

/** Whether the column contains the text. */
export function containsText(column: SQL, text: string): SQL {
  const sought = caselessText(text);
  return 'literal' in sought
    ? sql`position(${sought.literal}::text in ${folded(column)}) > 0`
    : sql`${folded(column)} ~ ${sought.pattern}::text`;
}

/** Whether the column starts with the text. */
export function startsWithText(column: SQL, text: string): SQL {
  const sought = caselessText(text);
  return 'literal' in sought
    ? sql`starts_with(${folded(column)}, ${sought.literal}::text)`
    : sql`${folded(column)} ~ ${`^${sought.pattern}`}::text`;
}

const folded = (column: SQL) => sql`lower(${column} collate "C")`;
