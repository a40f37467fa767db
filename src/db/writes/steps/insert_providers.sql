-- Adds providers, parents before or together with their children, and reports them to the change feed. Refuses DUPLICATE for the first whose uuid or name
-- is taken; a provider below one of those fails on its foreign key, and the write is tried again (apply-write.ts). One element of each array for each
-- provider; the ids were drawn by the caller.
create or replace function insert_providers(
  ids bigint[], uuids uuid[], names text[], generations bigint[], parent_ids bigint[], root_ids bigint[]
) returns void language plpgsql as $$
declare
  added bigint;
begin
  insert into resource_providers (id, uuid, name, generation, parent_provider_id, root_provider_id) overriding system value
  select ids[n], uuids[n], names[n], generations[n], parent_ids[n], root_ids[n] from generate_series(1, cardinality(ids)) n order by n
  on conflict do nothing;
  get diagnostics added = row_count;
  if added < cardinality(ids) then
    for n in 1..cardinality(ids) loop
      if not exists (select from resource_providers p where p.id = ids[n]) then
        perform refuse_duplicate_provider(uuids[n], names[n]);
      end if;
    end loop;
  end if;
  perform mark_changed(ids);
end $$;
