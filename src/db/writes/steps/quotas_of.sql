-- The quotas against which something of a class counts, or a consumer without one: those of its project and of the project above. zone: those for what is held in
-- this aggregate, rather than those for what is held anywhere.
create or replace function quotas_of(project_id bigint, user_id bigint, type_id bigint, class int, zone bigint default null) returns setof bigint language sql stable as $$
  select q.id
  from (select quotas_of.project_id as id union all select above.parent_id from project_parents above where above.project_id = quotas_of.project_id) whose
  join quota_uses q on q.project_id = whose.id and q.resource_class_id = coalesce(class, -1) and q.aggregate_id is not distinct from zone
    and (q.user_id is null or q.user_id = quotas_of.user_id) and (q.consumer_type_id is null or q.consumer_type_id = type_id)
$$;
