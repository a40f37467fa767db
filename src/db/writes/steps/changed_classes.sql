-- The names of the resource classes that the changes of an event speak of: inventories that are not as before, what the consumers hold or
-- held, classes that came or went.
create or replace function changed_classes(changes jsonb) returns text[] language sql immutable as $$
  select array(
    select jsonb_path_query(changes, '$.consumers.*.*.allocations[*].resourceClass') #>> '{}'
    union
    select class
    from jsonb_each(changes -> 'providers') as of(provider, change)
    cross join jsonb_object_keys(coalesce(change #> '{before,inventories}', '{}') || coalesce(change #> '{after,inventories}', '{}')) class
    where change #> array['before', 'inventories', class] is distinct from change #> array['after', 'inventories', class]
    union
    select jsonb_object_keys(changes -> 'resourceClasses')
  )
$$;
