// Filters with nested groups of filters, in SQL. Knows no condition.
import { type SQL, sql } from 'drizzle-orm';
import type { Groups } from '../../domain/input.ts';

/** The conditions of a filter and of those nested in it, to be ANDed; `own` returns those of one filter alone. */
export function conditionsOf<Filter extends Groups<Filter>>(filter: Filter, own: (filter: Filter) => readonly SQL[]): SQL[] {
  const within = (inner: Filter) => conditionsOf(inner, own);
  return [
    ...own(filter),
    ...(filter.and ?? []).flatMap(within),
    ...(filter.or ? [anyOf(filter.or.map((inner) => allOf(within(inner))))] : []),
    // Not `not`: a condition is null for rows without the value, and where a name is unknown.
    ...(filter.not ? [sql`${allOf(within(filter.not))} is not true`] : []),
  ];
}

export const allOf = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join([...conditions], sql` and `)})`;
export const anyOf = (conditions: readonly SQL[]): SQL =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`;
