-- The names of the resource classes in the changes of an event: of changed inventories, of allocations before or after, and of classes
-- created or deleted.
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
