-- Last step of a write that has changed the aggregates of roots, or the roots of providers (note_zones): what consumers hold there now counts against quotas for other
-- aggregates. Refuses nothing: a quota may be exceeded. The providers are locked, and so is whatever their consumers hold anywhere, because nobody can change that
-- without one of these providers; and nobody changes the aggregates of other roots, because the forest is locked. Allocations that the write itself has changed counted
-- in the aggregates that it found (zone_changes).
create or replace function settle_zones() returns void language plpgsql as $$
declare
  noted constant jsonb := noted_zones();
  provider_ids constant bigint[] := array(select key::bigint from jsonb_object_keys(noted) key);
begin
  perform lock_quotas(provider_ids);
  with holder as materialized (
    select distinct a.consumer_id as id from allocations a where a.resource_provider_id = any(provider_ids)
  ), placed as materialized (
    select c.project_id, c.user_id, c.consumer_type_id, c.id as consumer, a.resource_class_id as class, z.zone, a.used, side.sign,
           a.resource_provider_id = any(provider_ids) as is_noted
    from holder
    join consumers c on c.id = holder.id
    join allocations a on a.consumer_id = c.id
    cross join (values (1, null::jsonb), (-1, noted)) side(sign, noted)
    cross join lateral zones_of(a.resource_provider_id, side.noted) z
  ), held as (
    select project_id, user_id, consumer_type_id, class, zone, sum(sign * used) as amount from placed where is_noted group by 1, 2, 3, 4, 5
    union all
    -- A consumer counts once in an aggregate, wherever it is there.
    select project_id, user_id, consumer_type_id, null, zone, sum(sign)
    from (select distinct project_id, user_id, consumer_type_id, consumer, zone, sign from placed) _ group by 1, 2, 3, 5
  )
  update quota_uses q set used = q.used + counted.amount
  from (
    select own.quota, sum(held.amount)::bigint as amount
    from held cross join lateral quotas_of(held.project_id, held.user_id, held.consumer_type_id, held.class, held.zone) as own(quota)
    group by 1
  ) counted
  where q.id = counted.quota and counted.amount <> 0;
end $$;
