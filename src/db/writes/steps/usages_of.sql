-- What consumers hold, as rows of project_usages: by project, user, type and class, and without a class how many they are. `ids`: existing consumers;
-- `holders`, `classes`, `amounts`: their allocations, one element each. Owners and types are read from the table.
create or replace function usages_of(ids bigint[], holders bigint[], classes int[], amounts bigint[]) returns setof project_usages language sql stable as $$
  select c.project_id, c.user_id, c.consumer_type_id, held.class, sum(held.amount)::bigint, false
  from (
    select * from unnest(holders, classes, amounts) as _(id, class, amount)
    union all
    select id, null, 1 from unnest(ids) id
  ) held
  join consumers c on c.id = held.id
  group by 1, 2, 3, 4
$$;
