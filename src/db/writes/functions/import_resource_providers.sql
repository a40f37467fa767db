-- Imports providers of another service with their generations, parents before children. Repeatable: unchanged providers are not written.
-- Refuses NOT_FOUND (parent, class, trait), DUPLICATE, IN_USE. One event per provider written. Returns `written`.
-- request: `providers` ([{uuid, name, parent, generation, inventories, traits, aggregates}]).
create or replace function import_resource_providers(request jsonb) returns jsonb language plpgsql as $$
declare
  wanted record;
  provider resource_providers;
  parent resource_providers;
  before jsonb;
  after jsonb;
  written bigint := 0;
begin
  perform lock_forest();
  perform lock_names(
    array(select i ->> 'resourceClass' from jsonb_array_elements(request -> 'providers') d cross join jsonb_array_elements(d -> 'inventories') i),
    array(select t from jsonb_array_elements(request -> 'providers') d cross join jsonb_array_elements_text(d -> 'traits') t));
  perform ensure_aggregates((
    select coalesce(jsonb_agg(distinct a), '[]') from jsonb_array_elements(request -> 'providers') d cross join jsonb_array_elements(d -> 'aggregates') a));
  -- With the descendants, which a move changes as well.
  perform lock_providers(array(
    with recursive listed as (
      select p.id from jsonb_array_elements(request -> 'providers') d join resource_providers p on p.uuid = (d ->> 'uuid')::uuid
      union
      select child.id from resource_providers child join listed on child.parent_provider_id = listed.id
    )
    select id from listed));
  for wanted in select d from jsonb_array_elements(request -> 'providers') d loop
    parent := null;
    if wanted.d ->> 'parent' is not null then
      select * into parent from resource_providers p where p.uuid = (wanted.d ->> 'parent')::uuid;
      if not found then
        perform refuse('NOT_FOUND', jsonb_build_object('noun', 'parent', 'key', wanted.d ->> 'parent'));
      end if;
    end if;
    select * into provider from resource_providers p where p.uuid = (wanted.d ->> 'uuid')::uuid;
    before := case when found then provider_state(provider.id) end;
    if before is null then
      provider := insert_provider((wanted.d ->> 'uuid')::uuid, wanted.d ->> 'name', parent, (wanted.d ->> 'generation')::bigint);
      if provider.id is null then
        perform refuse_duplicate_provider((wanted.d ->> 'uuid')::uuid, wanted.d ->> 'name');
      end if;
    else
      if provider.parent_provider_id is distinct from parent.id then
        perform place_provider(provider, parent);
      end if;
      update resource_providers p set name = wanted.d ->> 'name', generation = (wanted.d ->> 'generation')::bigint
      where p.id = provider.id and (p.name, p.generation) <> (wanted.d ->> 'name', (wanted.d ->> 'generation')::bigint);
    end if;
    perform write_inventories(array[provider.id], jsonb_build_array(wanted.d -> 'inventories'), false);
    perform write_traits(array[provider.id], jsonb_build_array(wanted.d -> 'traits'));
    perform write_aggregates(array[provider.id], jsonb_build_array(wanted.d -> 'aggregates'));
    after := provider_state(provider.id);
    if before is distinct from after then
      update resource_providers p set updated_at = now() where p.id = provider.id;
      perform mark_changed(array[provider.id]);
      perform record_event(request ->> 'kind', request -> 'by', jsonb_build_object('providers', jsonb_build_object(
        provider.uuid, jsonb_build_object('before', before, 'after', after))));
      written := written + 1;
    end if;
  end loop;
  return jsonb_build_object('written', written);
end $$;
