-- How allocations, in the form that hold_allocations takes, change what the owners of consumers hold: by class, and their number of consumers, without a class.
create or replace function owned_changes(owner_of int[], row_consumers int[], class_ids int[], row_classes int[], amounts bigint[])
returns table (owner int, consumer int, class int, amount bigint) language sql stable as $$
  select owner_of[row_consumers[n]], row_consumers[n], class_ids[row_classes[n]], given from unnest(amounts) with ordinality as _(given, n)
  union all
  -- The consumer itself, at the first of its allocations.
  select owner_of[row_consumers[n]], row_consumers[n], null, sign(given)::bigint from unnest(amounts) with ordinality as _(given, n)
  where row_consumers[n] is distinct from row_consumers[n - 1]
$$;
