-- The amounts that the rows of project_usages lack to be the sums of what consumers hold: none, unless rows were changed by hand. Add them only under the
-- lock of keep_project_usages, or they could be added twice. Scans whole tables, which the plans for claims (writeSettings) would do once for each row.
create or replace function usage_differences()
returns table (project_id bigint, user_id bigint, consumer_type_id bigint, resource_class_id int, amount bigint) language sql stable
set enable_seqscan = on set enable_hashjoin = on set enable_mergejoin = on set enable_material = on as $$
  select h.project_id, h.user_id, h.consumer_type_id, h.class, sum(h.amount)::bigint
  from (
    select c.project_id, c.user_id, c.consumer_type_id, a.resource_class_id as class, a.used as amount
    from consumers c join allocations a on a.consumer_id = c.id
    union all
    select c.project_id, c.user_id, c.consumer_type_id, null, 1 from consumers c
    union all
    select u.project_id, u.user_id, u.consumer_type_id, u.resource_class_id, -u.amount from project_usages u
  ) h
  group by 1, 2, 3, 4 having sum(h.amount) <> 0
$$;
