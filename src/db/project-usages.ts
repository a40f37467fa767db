// The total usage of one project. Quota checks read it often, so it is one prepared statement.
import type { Db } from './sql/client.ts';
import { usageRows } from './usage-rows.ts';

/** The consumers of one type, or all; amounts are in units of their classes. */
export interface ProjectUsage {
  /** Null for consumers without a type, and when not grouped by type. */
  readonly consumerType: string | null;
  readonly consumerCount: number;
  /** By class name. */
  readonly amounts: Readonly<Record<string, number>>;
}

/** By type, those without one last, or in all; no row without consumers. */
export async function selectProjectUsages(
  { sql }: Db,
  {
    project,
    user = null,
    type = null,
    untyped = false,
  }: { project: string; user?: string | null | undefined; type?: string | null | undefined; untyped?: boolean | undefined },
  byType: boolean,
): Promise<ProjectUsage[]> {
  return sql<ProjectUsage[]>`
    with summed as (
      select case when ${byType}::boolean then coalesce(c.consumer_type_id, 0) else 0 end as type_id, c.resource_class_id, sum(c.amount) as amount
      from ${sql.unsafe(usageRows)} c
      where c.project_id = (select p.id from projects p where p.external_id = ${project}::text)
        and (${user}::text is null or c.user_id = (select u.id from users u where u.external_id = ${user}::text))
        and (${type}::text is null or c.consumer_type_id = (select t.id from consumer_types t where t.name = ${type}::text))
        and (not ${untyped}::boolean or c.consumer_type_id is null)
      group by 1, 2 having sum(c.amount) <> 0
    )
    select t.name as "consumerType", (max(summed.amount) filter (where summed.resource_class_id is null))::float8 as "consumerCount",
           coalesce(json_object_agg(rc.name, summed.amount order by rc.id) filter (where rc.id is not null), '{}') as amounts
    from summed
    left join consumer_types t on t.id = summed.type_id
    left join resource_classes rc on rc.id = summed.resource_class_id
    group by summed.type_id, t.name
    order by t.name is null, t.name`;
}
