// Resource classes: all of them, by id and by name. There are a few dozen. What providers have of them is in inventories.ts.
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
const all = prepareWhere('resource_classes', sql`true`);
const byIds = prepareWhere('resource_classes_by_ids', sql`${resourceClasses.id} = any(${keys}::int[])`);
const byNames = prepareWhere('resource_classes_by_names', sql`${resourceClasses.name} = any(${keys}::text[])`);

/** All classes, standard ones first. */
export function selectResourceClasses(db: Db): Promise<ResourceClass[]> {
  return all(db).execute();
}

/** Those of the ids that exist. */
export function selectResourceClassesByIds(db: Db, ids: readonly number[]): Promise<ResourceClass[]> {
  return byIds(db).execute({ keys: ids });
}

/** Those of the names that exist. */
export function selectResourceClassesByNames(db: Db, names: readonly string[]): Promise<ResourceClass[]> {
  return byNames(db).execute({ keys: names });
}
