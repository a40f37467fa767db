-- Deletes a provider, with all that is below it (`wholeTree`), or nothing but what is known of a root that is no provider yet (`record`: the kind). What
-- is kept about a root goes with it (forget_root). Refuses NOT_FOUND, PROVIDER_CONFLICT, HAS_CHILDREN, IN_USE. Returns `eventId`.
create or replace function delete_resource_provider(request jsonb) returns jsonb language plpgsql as $$
declare
  gone constant uuid := (request ->> 'provider')::uuid;
  members bigint[];
  provider resource_providers;
  erased jsonb := '{}';
  changes jsonb;
begin
  perform lock_keepers(gone);
  perform lock_forest();
  if request ? 'record' and not exists (select from resource_providers p where p.uuid = gone) then
    changes := forget_root(gone);
    if changes = '{}' then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceProvider', 'key', gone));
    end if;
    return jsonb_build_object('eventId', record_event(request ->> 'kind', request -> 'by', changes));
  end if;
  provider := require_provider(gone, request -> 'expect');
  members := case when request ? 'wholeTree' then subtree_ids(provider.id) else array[provider.id] end;
  perform lock_providers(members);
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
  end loop;
  changes := jsonb_build_object('providers', erased) || forget_root(gone);
  return jsonb_build_object('eventId', record_event(request ->> 'kind', request -> 'by', changes));
end $$;
