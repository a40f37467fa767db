-- Makes sure that aggregates exist: reads first, inserts only what is missing, sorted. They are never deleted.
-- Called before any provider is locked: two writers of the same new aggregates wait for each other here.
create or replace function ensure_aggregates(uuids jsonb) returns void language sql as $$
  insert into placement_aggregates (uuid)
  select distinct u::uuid as uuid from jsonb_array_elements_text(uuids) u
  where not exists (select from placement_aggregates a where a.uuid = u::uuid) order by uuid
  on conflict do nothing
$$;
