-- The quotas against which something of a class counts, or a consumer without one: those of its project and of the project above. zone: those for what is held in
-- this aggregate, rather than those for what is held anywhere.
create or replace function quotas_of(project_id bigint, user_id bigint, type_id bigint, class int, zone bigint default null) returns setof bigint language sql stable as $$
  select q.id
  from (select quotas_of.project_id as id union all select above.parent_id from project_parents above where above.project_id = quotas_of.project_id) whose
  -- By project, whatever the statistics say: every project may have a quota of a class.
  cross join lateral (
    select own.id from quota_uses own
    where own.project_id = whose.id and own.resource_class_id = coalesce(class, -1) and own.aggregate_id is not distinct from zone
      and (own.user_id is null or own.user_id = quotas_of.user_id) and (own.consumer_type_id is null or own.consumer_type_id = type_id)
    offset 0
  ) q
$$;
