-- Deletes a provider; with `wholeTree` all its descendants, too. With `record` (a kind), a root that is not a provider yet loses what is known about it.
-- What other services keep about a root is deleted with it (forget_root). `consumers`, as for lock_consumers, first get these allocations, so that nobody
-- holds what is deleted. Refuses NOT_FOUND, PROVIDER_CONFLICT, HAS_CHILDREN, IN_USE, and what allocation writes refuse. Returns `eventId`.
create or replace function delete_resource_provider(request jsonb) returns jsonb language plpgsql as $$
declare
  gone constant uuid := (request ->> 'provider')::uuid;
  has_consumers constant boolean := coalesce(jsonb_array_length(request -> 'consumers'), 0) > 0;
  members bigint[];
  provider resource_providers;
  locked record;
  written record;
  before jsonb := '{}';
  erased jsonb := '{}';
  kept jsonb;
begin
  perform lock_keepers(gone);
  perform lock_forest();
  if request ? 'record' and not exists (select from resource_providers p where p.uuid = gone) then
    kept := forget_root(gone);
    if kept = '{}' then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceProvider', 'key', gone));
    end if;
    return jsonb_build_object('eventId', record_event(request ->> 'kind', request -> 'by', kept));
  end if;
  if has_consumers then
    locked := lock_consumers(request -> 'consumers');
    members := subtree_ids((select p.id from resource_providers p where p.uuid = gone));
    perform lock_write_set(members, request -> 'consumers', locked.ids);
    before := provider_states(members);
  end if;
  members := array(select p.id from resource_providers p where p.uuid = gone);
  if request ? 'wholeTree' then
    members := subtree_ids(members[1]);
  end if;
  -- All of them in one order, and so before require_provider.
  perform lock_providers(members);
  provider := require_provider(gone, request -> 'expect');
  if has_consumers then
    written := write_allocations(request -> 'consumers', locked);
  end if;
  -- Deepest first: a provider is deleted after its descendants.
  for provider in
    with recursive depths as (
      select p.id, 0 as depth from resource_providers p where p.uuid = gone
      union all
      select child.id, depths.depth + 1 from resource_providers child join depths on child.parent_provider_id = depths.id
    )
    select p.* from depths join resource_providers p on p.id = depths.id where p.id = any(members) order by depths.depth desc, p.id
  loop
    erased := erased || jsonb_build_object(provider.uuid, jsonb_build_object('before', erase_provider(provider), 'after', null));
    if has_consumers then
      erased := jsonb_set(erased, array[provider.uuid::text, 'before'], before -> provider.uuid::text);
    end if;
  end loop;
  kept := forget_root(gone);
  if has_consumers then
    return jsonb_build_object('eventId', append_event(
      request ->> 'kind', request -> 'by', event_changes(written.provider_changes || erased, written.consumer_changes) || kept, written.consumer_uuids,
      array(select jsonb_object_keys(written.provider_changes || erased)::uuid), written.project_names));
  end if;
  return jsonb_build_object('eventId', record_event(request ->> 'kind', request -> 'by', jsonb_build_object('providers', erased) || kept));
end $$;
