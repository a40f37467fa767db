-- What consumers hold, in the form that take_room takes, with negative amounts: to be released. Their `row_consumers` follow all consumers.
-- ids: the consumers, null for a new one. providers: those that are named already; returned with the others at their end.
create or replace function held_rows(
  ids bigint[], inout provider_ids bigint[], out row_consumers int[], out row_providers int[], out row_classes int[], out class_ids int[], out amounts bigint[]
) language plpgsql as $$
declare
  providers bigint[];
begin
  select coalesce(array_agg(cardinality(ids) + place), '{}'), coalesce(array_agg(resource_provider_id), '{}'), coalesce(array_agg(resource_class_id), '{}'),
         coalesce(array_agg(-used), '{}')
  into row_consumers, providers, class_ids, amounts
  -- One by one, as in lock_consumers.
  from (
    select held.place, a.* from unnest(ids) with ordinality as held(id, place)
    cross join lateral (select * from allocations a where a.consumer_id = held.id offset 0) a order by held.place
  ) held;
  row_classes := array(select generate_series(1, cardinality(class_ids)));
  provider_ids := provider_ids || array(select distinct id from unnest(providers) id where id <> all(array_remove(provider_ids, null)));
  row_providers := array(select array_position(provider_ids, id) from unnest(providers) with ordinality as _(id, n) order by n);
end $$;
