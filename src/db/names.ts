// Reads pages of the names that are standard or custom: of resource classes, and of traits.
import { type SQL, sql } from 'drizzle-orm';
import type { Groups } from '../domain/input.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { standardResourceClasses } from '../domain/standard-resource-classes.ts';
import { standardTraits } from '../domain/standard-traits.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { conditionsOf } from './sql/filter-groups.ts';
import { integerKey, type KeysetOrder, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';

/** The names of one noun, as rows `n`. */
export interface Names {
  readonly from: SQL;
  readonly standard: readonly string[];
  /** Whether some provider has it. */
  readonly inUse: SQL;
}

export const classNames: Names = {
  from: sql`resource_classes n`,
  standard: standardResourceClasses.map(({ name }) => name),
  inUse: sql`exists (select from inventories i where i.resource_class_id = n.id)`,
};

export const traitNames: Names = {
  from: sql`traits n`,
  standard: standardTraits,
  inUse: sql`exists (select from resource_provider_traits m where m.trait_id = n.id)`,
};

/** Conditions on a name; all that are given must hold. */
export interface NameFilter extends Groups<NameFilter> {
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  /** Whether it is standard (true) or custom (false). */
  readonly isStandard?: boolean;
  readonly inUse?: boolean;
}

export interface NameSortKey {
  readonly by: 'NAME' | 'CREATED_AT';
  readonly descending: boolean;
}

/** The keyset order behind a sort; ids are given in the order of creation, the lowest to standard names. */
export function orderOfNames(sort: readonly NameSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) =>
    by === 'NAME' ? textKey(sql`n.name`, descending, { unique: true }) : integerKey(sql`n.id`, descending, { unique: true }),
  );
  return totalOrder(keys, sql`n.id`);
}

function conditionsOnName({ standard, inUse: used }: Names, wanted: NameFilter): SQL[] {
  const isOneOf = (names: readonly string[]) => sql`n.name = any(${sql.param(names)}::text[])`;
  return conditionsOf(wanted, ({ names, nameContains, nameStartsWith, isStandard, inUse }) => [
    ...(names ? [isOneOf(names)] : []),
    ...(nameContains ? [containsText(sql`n.name`, nameContains)] : []),
    ...(nameStartsWith ? [startsWithText(sql`n.name`, nameStartsWith)] : []),
    ...(isStandard === undefined ? [] : [isStandard ? isOneOf(standard) : sql`not ${isOneOf(standard)}`]),
    ...(inUse === undefined ? [] : [inUse ? used : sql`not ${used}`]),
  ]);
}

/** A page of the names that meet the conditions, and one more. */
export async function selectNamePage(
  db: Db,
  names: Names,
  wanted: NameFilter,
  sort: readonly NameSortKey[],
  page: PageRequest,
): Promise<Sorted<{ readonly id: number; readonly name: string }>[]> {
  const selection = {
    columns: sql`n.id::float8 as id, n.name`,
    from: names.from,
    where: conditionsOnName(names, wanted),
    order: orderOfNames(sort),
  };
  return db.orm.execute<Sorted<{ id: number; name: string }> & Record<string, unknown>>(pageOf(selection, page));
}

/** The number of names that meet the conditions. */
export async function countNames(db: Db, names: Names, wanted: NameFilter): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from ${names.from} ${whereAll(conditionsOnName(names, wanted))}`,
  );
  return row?.count ?? 0;
}
