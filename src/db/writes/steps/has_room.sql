-- The capacity rule: whether an inventory can take a change of its use, with what reservations keep of it as used (misfits_in_time: where time counts). While it is over capacity, its use may still fall or stay. Inlined by the planner.
create or replace function has_room(used bigint, change bigint, capacity bigint) returns boolean language sql immutable as $$
  select used + change <= capacity or change <= 0
$$;
