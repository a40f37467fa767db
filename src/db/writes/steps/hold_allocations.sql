-- Writes allocations for which take_room has taken room, and changes the usage of their owners accordingly. The allocations have the form that take_room
-- takes, with those of one consumer next to each other. Negative amounts are all that a consumer held before this write.
-- ids, owner_of: the consumers and their owners. A consumer whose owner changes is listed twice.
-- projects, users, types: the owners.
create or replace function hold_allocations(
  ids bigint[], owner_of int[], projects bigint[], users bigint[], types bigint[],
  row_consumers int[], provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], amounts bigint[]
) returns void language plpgsql as $$
begin
  -- What consumers held is read once, however much that is, and by consumer, whatever the statistics say.
  if 0 > all(amounts) then
    delete from allocations a where a.consumer_id = any(array(select ids[row_consumers[n]] from generate_series(1, cardinality(amounts)) n));
  elsif 0 > any(amounts) then
    -- But for what they keep.
    delete from allocations a
    where a.consumer_id = any(array(select ids[row_consumers[n]] from generate_series(1, cardinality(amounts)) n where amounts[n] < 0))
      and (a.consumer_id, a.resource_provider_id, a.resource_class_id) not in (
        select ids[row_consumers[n]], provider_ids[row_providers[n]], class_ids[row_classes[n]] from generate_series(1, cardinality(amounts)) n where amounts[n] > 0);
    insert into allocations as a (consumer_id, resource_provider_id, resource_class_id, used)
    select ids[row_consumers[n]], provider_ids[row_providers[n]], class_ids[row_classes[n]], amounts[n]
    from generate_series(1, cardinality(amounts)) n where amounts[n] > 0
    on conflict on constraint allocations_pkey do update set used = excluded.used where a.used <> excluded.used;
  else
    -- Looking for conflicts, of which new consumers have none, would cost a claim 3 %.
    insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
    select ids[row_consumers[n]], provider_ids[row_providers[n]], class_ids[row_classes[n]], amounts[n] from generate_series(1, cardinality(amounts)) n;
  end if;
  insert into project_usages (project_id, user_id, consumer_type_id, resource_class_id, amount)
  select projects[owner], users[owner], types[owner], class, sum(amount)
  from owned_changes(owner_of, row_consumers, class_ids, row_classes, amounts)
  group by 1, 2, 3, 4 having sum(amount) <> 0;
end $$;
