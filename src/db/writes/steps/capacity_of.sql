-- The capacity that an inventory would have: the rule of the generated column inventories.capacity, for one that is not stored.
create or replace function capacity_of(total int, reserved int, allocation_ratio double precision) returns bigint language sql immutable as $$
  select greatest(-9007199254740991, least(9007199254740991, trunc((total - reserved)::double precision * allocation_ratio)))::bigint
$$;
