// Reads resource classes: by id, by name, and in pages. Inventories are in inventories.ts.
import { asc, type SQL, sql } from 'drizzle-orm';
import type { PageRequest, Sorted } from '../domain/page.ts';
import type { ResourceClass } from '../domain/provider.ts';
import { standardResourceClasses } from '../domain/standard-resource-classes.ts';
import { resourceClasses } from './schema/schema.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { integerKey, type KeysetOrder, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';
import { oncePerDb } from './sql/statements.ts';

const prepareWhere = (name: string, condition: SQL) =>
  oncePerDb((db) =>
    db.orm
      .select({ id: resourceClasses.id, name: resourceClasses.name })
      .from(resourceClasses)
      .where(condition)
      .orderBy(asc(resourceClasses.id))
      .prepare(name),
  );

const keys = sql.placeholder('keys');
const byIds = prepareWhere('resource_classes_by_ids', sql`${resourceClasses.id} = any(${keys}::int[])`);
const byNames = prepareWhere('resource_classes_by_names', sql`${resourceClasses.name} = any(${keys}::text[])`);

/** The classes with these ids, if they exist. */
export function selectResourceClassesByIds(db: Db, ids: readonly number[]): Promise<ResourceClass[]> {
  return byIds(db).execute({ keys: ids });
}

/** The classes with these names, if they exist. */
export function selectResourceClassesByNames(db: Db, names: readonly string[]): Promise<ResourceClass[]> {
  return byNames(db).execute({ keys: names });
}

/** Conditions on a class, all of which must hold. */
export interface ResourceClassConditions {
  readonly names?: readonly string[];
  readonly nameContains?: string;
  readonly nameStartsWith?: string;
  /** Whether it is standard (true) or custom (false). */
  readonly isStandard?: boolean;
}

/** A sort key of classes. */
export interface ResourceClassSortKey {
  readonly by: 'NAME' | 'CREATED_AT';
  readonly descending: boolean;
}

/** The keyset order behind a sort; ids are given in the order of creation, the lowest to standard classes. */
export function orderOfResourceClasses(sort: readonly ResourceClassSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) =>
    by === 'NAME' ? textKey(sql`c.name`, descending, { unique: true }) : integerKey(sql`c.id`, descending, { unique: true }),
  );
  return totalOrder(keys, sql`c.id`);
}

const standardNames = standardResourceClasses.map(({ name }) => name);

function conditionsOnClass({ names, nameContains, nameStartsWith, isStandard }: ResourceClassConditions): SQL[] {
  const standard = sql`c.name = any(${sql.param(standardNames)}::text[])`;
  return [
    ...(names ? [sql`c.name = any(${sql.param(names)}::text[])`] : []),
    ...(nameContains ? [containsText(sql`c.name`, nameContains)] : []),
    ...(nameStartsWith ? [startsWithText(sql`c.name`, nameStartsWith)] : []),
    ...(isStandard === undefined ? [] : [isStandard ? standard : sql`not ${standard}`]),
  ];
}

/** A page of the classes that meet the conditions. */
export async function selectResourceClassPage(
  db: Db,
  wanted: ResourceClassConditions,
  sort: readonly ResourceClassSortKey[],
  page: PageRequest,
): Promise<Sorted<ResourceClass>[]> {
  const selection = {
    columns: sql`c.id, c.name`,
    from: sql`resource_classes c`,
    where: conditionsOnClass(wanted),
    order: orderOfResourceClasses(sort),
  };
  return db.orm.execute<Sorted<ResourceClass> & Record<string, unknown>>(pageOf(selection, page));
}

/** The number of classes that meet the conditions. */
export async function countResourceClasses(db: Db, wanted: ResourceClassConditions): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from resource_classes c ${whereAll(conditionsOnClass(wanted))}`,
  );
  return row?.count ?? 0;
}
