-- Locks, in the order of their ids, the quotas for aggregates against which counts what is held on these providers (settle_zones), or may count if it is moved;
-- projects: and all quotas of these, for a write that also changes what their consumers hold. Nothing if no quota is for an aggregate.
create or replace function lock_quotas(provider_ids bigint[], projects bigint[] default '{}') returns void language plpgsql as $$
begin
  if not has_zones() then
    return;
  end if;
  perform from quota_uses q
  where (q.aggregate_id is not null or projects <> '{}') and q.project_id in (
    with owner as (
      select c.project_id as id from allocations a join consumers c on c.id = a.consumer_id where a.resource_provider_id = any(provider_ids)
      union select unnest(projects)
    )
    select id from owner union select above.parent_id from project_parents above join owner on owner.id = above.project_id)
  order by q.id for no key update;
end $$;
