-- The quotas of these projects, or of all (null), whose use is not what the consumers of their projects, and of those below, hold; with what that is. None, unless rows were changed by hand. Scans whole
-- tables, which the plans for claims (writeSettings) would do once for each row. Use in an aggregate is summed from allocations, but only for projects that have a quota for it.
create or replace function quota_differences(project_ids bigint[]) returns table (id bigint, due bigint) language sql stable
set enable_seqscan = on set enable_hashjoin = on set enable_mergejoin = on set enable_material = on as $$
  with whose as materialized (
    select distinct q.project_id as id, q.project_id as member from quota_uses q where project_ids is null or q.project_id = any(project_ids)
    union all
    select parent_id, project_id from project_parents where project_ids is null or parent_id = any(project_ids)
  ), zoned as materialized (
    select whose.id, whose.member, zones.zone
    -- Joined first: a join of these with the members of aggregates is expected to be small, and then repeated for each project.
    from (select distinct q.project_id as id, q.aggregate_id as zone from quota_uses q where q.aggregate_id is not null) zones join whose using (id)
  ), placed as materialized (
    select zoned.id, c.user_id, c.consumer_type_id, c.id as consumer, a.resource_class_id as class, zoned.zone, a.used
    from zoned
    join consumers c on c.project_id = zoned.member
    join allocations a on a.consumer_id = c.id
    join resource_providers p on p.id = a.resource_provider_id
    join resource_provider_aggregates m on m.resource_provider_id = p.root_provider_id and m.aggregate_id = zoned.zone
    where has_zones()
  ), held as materialized (
    select whose.id, u.user_id, u.consumer_type_id, coalesce(u.resource_class_id, -1) as class, null::bigint as zone, sum(u.amount)::bigint as amount
    from whose join project_usages u on u.project_id = whose.member
    group by 1, 2, 3, 4
    union all
    select p.id, p.user_id, p.consumer_type_id, p.class, p.zone, sum(p.used) from placed p group by 1, 2, 3, 4, 5
    union all
    select p.id, p.user_id, p.consumer_type_id, -1, p.zone, count(distinct p.consumer) from placed p group by 1, 2, 3, 5
  )
  select q.id, coalesce(sum(h.amount), 0)::bigint
  from quota_uses q
  left join held h on h.id = q.project_id and h.class = q.resource_class_id and h.zone is not distinct from q.aggregate_id
    and (q.user_id is null or h.user_id = q.user_id) and (q.consumer_type_id is null or h.consumer_type_id = q.consumer_type_id)
  where project_ids is null or q.project_id = any(project_ids)
  group by q.id, q.used having q.used <> coalesce(sum(h.amount), 0)
$$;
