-- Adds to the use of quotas what allocations, in the form that hold_allocations takes, change; negative amounts are released. Returns whether all that it adds is
-- within, null if there are no quotas. The rows are locked in the order of their ids; with locks_all, also those whose use stays as it is.
create or replace function take_quotas(
  projects bigint[], users bigint[], types bigint[], owner_of int[], row_consumers int[], provider_ids bigint[], row_providers int[],
  class_ids int[], row_classes int[], amounts bigint[], locks_all boolean default false
) returns boolean language plpgsql as $$
declare
  has_zones boolean;
  is_within boolean;
begin
  -- The first of an index says both whether there are quotas and whether one is for an aggregate.
  select q.aggregate_id is not null into has_zones from quota_uses q order by q.aggregate_id limit 1;
  if not found then
    return null;
  end if;
  with asked as materialized (
    select own.quota, sum(c.amount)::bigint as amount
    from (
      select projects[owner] as project_id, users[owner] as user_id, types[owner] as type_id, class, null::bigint as zone, sum(amount) as amount
      from owned_changes(owner_of, row_consumers, class_ids, row_classes, amounts) group by 1, 2, 3, 4
      union all
      select projects[owner], users[owner], types[owner], class, zone, sum(amount)
      from zone_changes(projects, owner_of, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts) where has_zones group by 1, 2, 3, 4, 5
    ) c
    cross join lateral quotas_of(c.project_id, c.user_id, c.type_id, c.class, c.zone) as own(quota)
    group by 1 having locks_all or sum(c.amount) <> 0
  ), locked as materialized (
    -- The update alone would lock them in the order of its plan.
    select q.id, asked.amount from asked join quota_uses q on q.id = asked.quota order by q.id for no key update of q
  ), changed as (
    update quota_uses q set used = q.used + locked.amount
    from locked
    where q.id = locked.id and locked.amount <> 0
    returning locked.amount <= 0 or q.used <= q.most as is_within
  )
  select coalesce(bool_and(c.is_within), true) into is_within from changed c;
  return is_within;
end $$;
