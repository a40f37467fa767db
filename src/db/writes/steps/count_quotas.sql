-- Counts anew what is used of the quotas of projects: what the consumers of the project and of those below it hold. Afterwards there is a row for each quota that
-- applies. A project's own quota counts instead of the default for the same, even if it has no bound. Only while no other write
-- changes what they hold (fence_write). Reads many rows, which the plans for claims (writeSettings) would find one by one.
create or replace function count_quotas(project_ids bigint[]) returns void language plpgsql
set enable_seqscan = on set enable_hashjoin = on set enable_mergejoin = on set enable_material = on as $$
begin
  delete from project_parents below where below.project_id = any(project_ids);
  insert into project_parents (project_id, parent_id)
  select p.id, above.id
  from projects p
  join records r on r.kind = 'project_quotas' and r.name = p.external_id
  join projects above on above.external_id = r.body ->> 'parent'
  where p.id = any(project_ids);
  delete from quota_uses q where q.project_id = any(project_ids);
  insert into quota_uses (project_id, user_id, consumer_type_id, resource_class_id, aggregate_id, is_default, most, used)
  with applying as materialized (
    -- Two joins, because one with "or" compares each project with each record.
    select p.id, r.kind, r.body from projects p join records r on r.kind = 'project_quotas' and r.name = p.external_id where p.id = any(project_ids)
    union all
    select p.id, r.kind, r.body from projects p cross join records r where r.kind = 'default_quotas' and p.id = any(project_ids)
  ), chosen as materialized (
    select distinct on (r.id, q."user", q."consumerType", q."resourceClass", q."aggregate") r.id, q.*, r.kind = 'default_quotas' as is_default
    from applying r
    cross join lateral jsonb_to_recordset(r.body -> 'quotas') as q("user" text, "consumerType" text, "resourceClass" text, "aggregate" uuid, "amount" bigint)
    order by r.id, q."user", q."consumerType", q."resourceClass", q."aggregate", r.kind desc
  )
  select c.id, u.id, t.id, coalesce(rc.id, -1), a.id, c.is_default, c.amount, 0
  from chosen c
  left join users u on u.external_id = c."user"
  left join consumer_types t on t.name = c."consumerType"
  left join resource_classes rc on rc.name = c."resourceClass"
  left join placement_aggregates a on a.uuid = c."aggregate"
  -- Leaves out quotas of a class, type, user or aggregate that does not exist: an import may name one.
  where (c."user" is null) = (u.id is null) and (c."consumerType" is null) = (t.id is null) and (c."resourceClass" is null) = (rc.id is null)
    and (c."aggregate" is null) = (a.id is null)
  order by c.id, t.id nulls first, rc.id nulls first, u.id nulls first, a.id nulls first
  on conflict do nothing;
  update quota_uses q set used = wrong.due from quota_differences(project_ids) wrong where q.id = wrong.id;
end $$;
