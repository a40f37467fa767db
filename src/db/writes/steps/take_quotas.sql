-- Adds to the use of quotas what allocations, in the form that hold_allocations takes, change; negative amounts are released. Returns whether all that it adds is
-- within, null if there are no quotas. The rows are locked in the order of their ids.
create or replace function take_quotas(
  projects bigint[], users bigint[], types bigint[], owner_of int[], row_consumers int[], class_ids int[], row_classes int[], amounts bigint[]
) returns boolean language plpgsql as $$
declare
  is_within boolean;
begin
  if not exists (select from quota_uses) then
    return null;
  end if;
  with changed as (
    update quota_uses q set used = q.used + asked.amount
    from (
      select own.quota, sum(c.amount)::bigint as amount
      from (
        select projects[owner] as project_id, users[owner] as user_id, types[owner] as type_id, class, sum(amount) as amount
        from owned_changes(owner_of, row_consumers, class_ids, row_classes, amounts) group by 1, 2, 3, 4
      ) c
      cross join lateral quotas_of(c.project_id, c.user_id, c.type_id, c.class) as own(quota)
      group by 1 having sum(c.amount) <> 0 order by 1
    ) asked
    where q.id = asked.quota
    returning asked.amount <= 0 or q.used <= q.most as is_within
  )
  select coalesce(bool_and(c.is_within), true) into is_within from changed c;
  return is_within;
end $$;
