-- Creates consumers in the order of their uuids, in which every write creates them; leaves out those that exist by now. Returns how many it has created.
-- owner_of, projects, users, types: as for hold_allocations. previous: null for each that is to be created, or for all. imported: of another service, with its `generation` and,
-- if they are given, `createdAt` and `updatedAt`. expiries: when each is released, null for one that lasts. reservations: from which each claims.
create or replace function create_consumers(
  ids bigint[], uuids uuid[], owner_of int[], projects bigint[], users bigint[], types bigint[], previous bigint[] default null, imported jsonb default null,
  expiries timestamptz[] default null, reservations bigint[] default null
) returns bigint language plpgsql as $$
declare
  added bigint;
  generations bigint[]; created_ats timestamptz[]; updated_ats timestamptz[];
begin
  if imported is not null then
    select array_agg((one ->> 'generation')::bigint order by n), array_agg((one ->> 'createdAt')::timestamptz order by n), array_agg((one ->> 'updatedAt')::timestamptz order by n)
    into generations, created_ats, updated_ats from jsonb_array_elements(imported) with ordinality as _(one, n);
  end if;
  insert into consumers (id, uuid, project_id, user_id, consumer_type_id, generation, created_at, updated_at, expires_at, reservation_id) overriding system value
  select ids[n], uuids[n], projects[owner_of[n]], users[owner_of[n]], types[owner_of[n]], coalesce(generations[n], 1),
         coalesce(created_ats[n], now()), coalesce(updated_ats[n], now()), expiries[n], reservations[n]
  from generate_series(1, cardinality(ids)) n where previous[n] is null and ids[n] is not null order by uuids[n]
  on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end $$;
