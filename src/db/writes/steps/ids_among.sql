-- The ids, each at its place, with null for those that are not among `known`: providers that could not be locked, for example because they were deleted before
-- the lock was granted, count as unknown.
create or replace function ids_among(ids bigint[], known bigint[]) returns bigint[] language plpgsql as $$
begin
  return array(select case when id = any(known) then id end from unnest(ids) with ordinality as _(id, n) order by n);
end $$;
