-- Changes what callers give of a provider, such as its `name`, or moves it with its descendants (`parent`: a uuid, or null for a root; absent: unchanged).
-- `keepParent`: the parent of a provider that has one cannot be changed (INVALID_INPUT), as before 1.37.
-- `keepGeneration`: nothing is bumped, as upstream.
-- Refuses NOT_FOUND, PROVIDER_CONFLICT, DUPLICATE, PARENT_LOOP. A request that changes nothing writes nothing.
-- Returns `providers` (one row), `above` (its parent and root), `eventId`.
create or replace function update_resource_provider(request jsonb) returns jsonb language plpgsql as $$
declare
  provider resource_providers;
  parent resource_providers;
  before jsonb;
  taken uuid;
  edited boolean;
  moved boolean;
  bumped jsonb;
begin
  perform lock_forest();
  perform lock_providers(subtree_ids((select p.id from resource_providers p where p.uuid = (request ->> 'provider')::uuid)));
  provider := require_provider((request ->> 'provider')::uuid, request -> 'expect');
  if request ->> 'parent' is not null then
    select * into parent from resource_providers p where p.uuid = (request ->> 'parent')::uuid;
    if not found then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'parent', 'key', request ->> 'parent'));
    end if;
  end if;
  select p.uuid into taken from resource_providers p where p.name = request ->> 'name' and p.id <> provider.id;
  if found then
    perform refuse('DUPLICATE', jsonb_build_object('noun', 'resourceProvider', 'key', request ->> 'name', 'field', 'name', 'existing', taken));
  end if;
  edited := <<givenDiffer>>;
  moved := request ? 'parent' and parent.id is distinct from provider.parent_provider_id;
  if moved and (request ->> 'keepParent')::boolean and provider.parent_provider_id is not null then
    perform refuse('INVALID_INPUT', jsonb_build_object('message',
      case when parent.id is null then 'un-' else 're-' end || 'parenting a provider is not currently allowed.'));
  end if;
  if not edited and not moved then
    return jsonb_build_object('providers', jsonb_build_array(provider_row(provider)), 'above', rows_above(provider), 'eventId', null);
  end if;
  before := provider_states(array[provider.id]);
  if moved then
    perform place_provider(provider, parent);
  end if;
  if edited then
    update resource_providers p set <<setGiven>> where p.id = provider.id;
  end if;
  if (request ->> 'keepGeneration')::boolean then
    update resource_providers p set updated_at = now() where p.id = provider.id returning * into provider;
    perform mark_changed(array[provider.id]);
    bumped := jsonb_build_object('rows', jsonb_build_array(provider_row(provider)), 'changes', '{}'::jsonb);
  else
    bumped := bump_providers(array[provider.id]);
  end if;
  select * into provider from resource_providers p where p.id = provider.id;
  return jsonb_build_object(
    'providers', bumped -> 'rows', 'above', rows_above(provider),
    'eventId', record_event(request ->> 'kind', request -> 'by', changes_since(before, array[provider.id])));
end $$;
