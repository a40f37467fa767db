-- Whether an amount may be asked of an inventory by itself (domain/inventory.ts, unitFault). Inlined wherever it is used.
create or replace function obeys_units(amount bigint, min_unit integer, max_unit integer, step_size integer) returns boolean language sql immutable as $$
  select amount >= min_unit and amount <= max_unit and amount % step_size = 0
$$;
