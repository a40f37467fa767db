// The total usage of one project. Quota checks read it often, so it is one prepared statement.
import type { Db } from './sql/client.ts';

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
  // `summed` is materialized because Postgres would sum up for each type again, and sort all allocations for it.
  return sql<ProjectUsage[]>`
    with held as materialized (
      select c.id, case when ${byType}::boolean then coalesce(c.consumer_type_id, 0) else 0 end as type_id
      from consumers c
      where c.project_id = (select p.id from projects p where p.external_id = ${project}::text)
        and (${user}::text is null or c.user_id = (select u.id from users u where u.external_id = ${user}::text))
        and (${type}::text is null or c.consumer_type_id = (select t.id from consumer_types t where t.name = ${type}::text))
        and (not ${untyped}::boolean or c.consumer_type_id is null)
    ),
    counted as (select type_id, count(*) as consumers from held group by type_id),
    summed as materialized (
      select held.type_id, a.resource_class_id, sum(a.used) as amount
      from held join allocations a on a.consumer_id = held.id group by held.type_id, a.resource_class_id
    )
    select t.name as "consumerType", counted.consumers::float8 as "consumerCount",
           (select coalesce(json_object_agg(rc.name, summed.amount order by rc.id), '{}')
            from summed join resource_classes rc on rc.id = summed.resource_class_id where summed.type_id = counted.type_id) as amounts
    from counted left join consumer_types t on t.id = counted.type_id
    order by t.name is null, t.name`;
}
