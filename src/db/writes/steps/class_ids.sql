-- The ids, by name, of the classes that consumers hold. consumers: rows of consumer_row, or nulls.
create or replace function class_ids(consumers jsonb) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(rc.name, rc.id), '{}') from resource_classes rc where rc.name in (
    select held ->> 'resourceClass' from jsonb_array_elements(consumers) c cross join jsonb_array_elements(c -> 'allocations') held)
$$;
