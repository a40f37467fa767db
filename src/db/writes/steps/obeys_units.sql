-- Whether an amount satisfies the unit constraints of an inventory (unitFault of domain/inventory.ts). Inlined by the planner.
create or replace function obeys_units(amount bigint, min_unit integer, max_unit integer, step_size integer) returns boolean language sql immutable as $$
  select amount >= min_unit and amount <= max_unit and amount % step_size = 0
$$;
