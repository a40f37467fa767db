// Reads the projects that writes have named. Keystone manages the projects themselves.
import { type SQL, sql } from 'drizzle-orm';
import type { Groups } from '../domain/input.ts';
import type { PageRequest, Sorted } from '../domain/page.ts';
import { containsText, startsWithText } from './sql/caseless.ts';
import type { Db } from './sql/client.ts';
import { conditionsOf } from './sql/filter-groups.ts';
import { integerKey, type KeysetOrder, pageOf, textKey, totalOrder, whereAll } from './sql/keyset.ts';

/** Conditions on a project; all that are given must hold. */
export interface ProjectConditions extends Groups<ProjectConditions> {
  readonly externalIds?: readonly string[];
  readonly externalIdContains?: string;
  readonly externalIdStartsWith?: string;
  /** Some consumer belongs to it now (true), none does (false). */
  readonly hasConsumers?: boolean;
}

/** A key of the order of projects. */
export interface ProjectSortKey {
  readonly by: 'EXTERNAL_ID' | 'CREATED_AT';
  readonly descending: boolean;
}

/** The keyset order behind a sort; ids are given in the order of creation. */
export function orderOfProjects(sort: readonly ProjectSortKey[]): KeysetOrder {
  const keys = sort.map(({ by, descending }) =>
    by === 'EXTERNAL_ID' ? textKey(sql`p.external_id`, descending, { unique: true }) : integerKey(sql`p.id`, descending, { unique: true }),
  );
  return totalOrder(keys, sql`p.id`);
}

function conditionsOnProject({ externalIds, externalIdContains, externalIdStartsWith, hasConsumers }: ProjectConditions): SQL[] {
  const inUse = sql`exists (select from consumers c where c.project_id = p.id)`;
  return [
    ...(externalIds ? [sql`p.external_id = any(${sql.param(externalIds)}::text[])`] : []),
    ...(externalIdContains ? [containsText(sql`p.external_id`, externalIdContains)] : []),
    ...(externalIdStartsWith ? [startsWithText(sql`p.external_id`, externalIdStartsWith)] : []),
    ...(hasConsumers === undefined ? [] : [hasConsumers ? inUse : sql`not ${inUse}`]),
  ];
}

/** A page of the projects that meet the conditions. */
export async function selectProjectPage(
  db: Db,
  wanted: ProjectConditions,
  sort: readonly ProjectSortKey[],
  page: PageRequest,
): Promise<Sorted<{ externalId: string }>[]> {
  const columns = sql`p.external_id as "externalId"`;
  const selection = { columns, from: sql`projects p`, where: conditionsOf(wanted, conditionsOnProject), order: orderOfProjects(sort) };
  return db.orm.execute<Sorted<{ externalId: string }> & Record<string, unknown>>(pageOf(selection, page));
}

/** How many projects meet the conditions. */
export async function countProjects(db: Db, wanted: ProjectConditions): Promise<number> {
  const [row] = await db.orm.execute<{ count: number }>(
    sql`select count(*)::float8 as count from projects p ${whereAll(conditionsOf(wanted, conditionsOnProject))}`,
  );
  return row?.count ?? 0;
}

/** Those of the external ids that are known, in no order; of all, or of `own` alone. */
export async function selectProjectsByExternalIds(
  { sql }: Db,
  externalIds: readonly string[],
  own: string | null,
): Promise<{ externalId: string }[]> {
  return sql<{ externalId: string }[]>`
    select external_id as "externalId" from projects
    where external_id = any(${externalIds}::text[]) ${own === null ? sql`` : sql`and external_id = ${own}`}`;
}
