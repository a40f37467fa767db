-- The quotas of these projects, or of all (null), whose use is not what the consumers of their projects, and of those below, hold; with what that is. None, unless rows were changed by hand. Scans whole
-- tables, which the plans for claims (writeSettings) would do once for each row.
create or replace function quota_differences(project_ids bigint[]) returns table (id bigint, due bigint) language sql stable
set enable_seqscan = on set enable_hashjoin = on set enable_mergejoin = on set enable_material = on as $$
  with held as materialized (
    select whose.id, u.user_id, u.consumer_type_id, coalesce(u.resource_class_id, -1) as class, sum(u.amount)::bigint as amount
    from (
      select distinct q.project_id as id, q.project_id as member from quota_uses q where project_ids is null or q.project_id = any(project_ids)
      union all
      select parent_id, project_id from project_parents where project_ids is null or parent_id = any(project_ids)
    ) whose
    join project_usages u on u.project_id = whose.member
    group by 1, 2, 3, 4
  )
  select q.id, coalesce(sum(h.amount), 0)::bigint
  from quota_uses q
  left join held h on h.id = q.project_id and h.class = q.resource_class_id and (q.user_id is null or h.user_id = q.user_id)
    and (q.consumer_type_id is null or h.consumer_type_id = q.consumer_type_id)
  where project_ids is null or q.project_id = any(project_ids)
  group by q.id, q.used having q.used <> coalesce(sum(h.amount), 0)
$$;
