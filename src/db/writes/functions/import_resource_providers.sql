-- Imports providers of another service with their generations, parents before children. Repeatable: unchanged providers are not written.
-- Refuses NOT_FOUND (parent, class, trait), DUPLICATE, IN_USE. One event per provider written. Returns `written`.
-- request: `providers` ([{uuid, name, parent, generation, inventories, traits, aggregates}]; of an export also all other columns and `devices`).
create or replace function import_resource_providers(request jsonb) returns jsonb language plpgsql as $$
declare
  -- The places of the list, from 1, by uuid.
  places constant jsonb := (
    select jsonb_object_agg(d ->> 'uuid', place) from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place));
  wanted record;
  provider resource_providers;
  parent resource_providers;
  parent_id bigint;
  -- One element each, in the order of the list; `added`, `renamed` and `moved` are places.
  ids bigint[] := '{}'; uuids uuid[] := '{}'; names text[] := '{}'; generations bigint[] := '{}'; parents bigint[] := '{}'; roots bigint[] := '{}';
  added int[] := '{}'; renamed int[] := '{}'; moved int[] := '{}';
  before jsonb;
  after jsonb;
  changed bigint[];
  events jsonb;
  changes jsonb[];
begin
  perform lock_forest();
  perform lock_names(
    array(select i ->> 'resourceClass' from jsonb_array_elements(request -> 'providers') d cross join jsonb_array_elements(d -> 'inventories') i),
    array(select t from jsonb_array_elements(request -> 'providers') d cross join jsonb_array_elements_text(d -> 'traits') t));
  perform ensure_aggregates((
    select coalesce(jsonb_agg(distinct a), '[]') from jsonb_array_elements(request -> 'providers') d cross join jsonb_array_elements(d -> 'aggregates') a));
  -- With their descendants, which a move changes, too.
  perform lock_providers(array(
    with recursive listed as (
      select p.id from jsonb_array_elements(request -> 'providers') d join resource_providers p on p.uuid = (d ->> 'uuid')::uuid
      union
      select child.id from resource_providers child join listed on child.parent_provider_id = listed.id
    )
    select id from listed));

  -- Statements for all of them, not one for each: a large cloud has hundreds of thousands.
  for wanted in
    select d ->> 'name' as name, (d ->> 'uuid')::uuid as uuid, (d ->> 'generation')::bigint as generation, d ->> 'parent' as parent,
           known, above, (places ->> (d ->> 'parent'))::int as parent_place
    from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place)
    left join resource_providers known on known.uuid = (d ->> 'uuid')::uuid
    left join resource_providers above on above.uuid = (d ->> 'parent')::uuid
    order by place
  loop
    parent_id := coalesce((wanted.above).id, ids[wanted.parent_place]);
    if wanted.parent is not null and parent_id is null then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'parent', 'key', wanted.parent));
    end if;
    if (wanted.known).id is null then
      ids := ids || nextval('resource_providers_id_seq');
      roots := roots || coalesce((wanted.above).root_provider_id, roots[wanted.parent_place], ids[cardinality(ids)]);
      added := added || cardinality(ids);
    else
      ids := ids || (wanted.known).id;
      roots := roots || (wanted.known).root_provider_id;
      if (wanted.known).name <> wanted.name then
        renamed := renamed || cardinality(ids);
      end if;
      if (wanted.known).parent_provider_id is distinct from parent_id then
        moved := moved || cardinality(ids);
      end if;
    end if;
    uuids := uuids || wanted.uuid;
    names := names || wanted.name;
    generations := generations || wanted.generation;
    parents := parents || parent_id;
  end loop;
  before := provider_states(ids);
  for n in 1..cardinality(renamed) loop
    update resource_providers p set name = names[renamed[n]] where p.id = ids[renamed[n]];
  end loop;
  update resource_providers p set generation = generations[n] from generate_series(1, cardinality(ids)) n where p.id = ids[n] and p.generation <> generations[n];
  perform insert_providers(
    array(select ids[n] from unnest(added) n), array(select uuids[n] from unnest(added) n), array(select names[n] from unnest(added) n),
    array(select generations[n] from unnest(added) n), array(select parents[n] from unnest(added) n), array(select roots[n] from unnest(added) n));
  for n in 1..cardinality(moved) loop
    select * into provider from resource_providers p where p.id = ids[moved[n]];
    select * into parent from resource_providers p where p.id = parents[moved[n]];
    perform place_provider(provider, parent);
  end loop;
  perform write_inventories(ids, jsonb_path_query_array(request, '$.providers[*].inventories'), false);
  perform write_traits(ids, jsonb_path_query_array(request, '$.providers[*].traits'));
  perform write_aggregates(ids, jsonb_path_query_array(request, '$.providers[*].aggregates'));
  update resource_providers p set <<setExported>>
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where p.id = ids[place] and d ? 'createdAt';

  after := provider_states(ids);
  select coalesce(array_agg(ids[n] order by n), '{}'), jsonb_agg(jsonb_build_object(
           'by', request -> 'by', 'consumers', '[]'::jsonb, 'providers', jsonb_build_array(uuids[n]), 'projects', '[]'::jsonb) order by n),
         array_agg(jsonb_build_object('providers', jsonb_build_object(
           uuids[n], jsonb_build_object('before', before -> uuids[n]::text, 'after', after -> uuids[n]::text))) order by n)
  into changed, events, changes
  from generate_series(1, cardinality(ids)) n where before -> uuids[n]::text is distinct from after -> uuids[n]::text;
  if cardinality(changed) > 0 then
    -- All providers of an export have their times, and none of another service has.
    update resource_providers p set updated_at = now()
    where p.id = any(changed) and p.updated_at <> now() and not request -> 'providers' -> 0 ? 'updatedAt';
    perform mark_changed(changed);
    perform append_events(request ->> 'kind', events, changes);
  end if;
  perform write_devices(ids[place], d -> 'devices')
  from jsonb_array_elements(request -> 'providers') with ordinality as _(d, place) where jsonb_array_length(d -> 'devices') > 0;
  return jsonb_build_object('written', cardinality(changed));
end $$;
