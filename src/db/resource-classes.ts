// Reads resource classes by id and by name. Their pages are in names.ts, inventories are in inventories.ts.
import { asc, type SQL, sql } from 'drizzle-orm';
import type { ResourceClass } from '../domain/provider.ts';
import { resourceClasses } from './schema/schema.ts';
import type { Db } from './sql/client.ts';
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
