-- Adds some traits to many providers and removes others from them, all or nothing.
-- request: `providers` (uuids), `expects` (for each of them at its place, as for check_generation; without it deleted providers are skipped),
-- `added` and `removed` (names, no name in both), `most` (traits that a provider may have), `expectedCount` (of providers, if given), `dryRun`. Refuses
-- NOT_FOUND, PROVIDER_CONFLICT: of all providers together; INVALID_INPUT for a provider that would have too many; SELECTION_CONFLICT.
-- Returns `patched` (uuid, names added, names removed) for the providers whose traits differ, which alone are written and bumped, with their rows in
-- `providers`, `matched` (the number of providers), `applied`, `eventId`. A dry run takes no locks, so that no write waits for it.
create or replace function patch_traits(request jsonb) returns jsonb language plpgsql as $$
declare
  dry constant boolean := (request ->> 'dryRun')::boolean;
  added constant text[] := array(select jsonb_array_elements_text(request -> 'added'));
  removed constant text[] := array(select jsonb_array_elements_text(request -> 'removed'));
  ids bigint[];
  unknown text;
  answer jsonb;
  changed bigint[];
  names jsonb;
  changes jsonb;
  crowded text;
begin
  if not dry then
    perform lock_names('{}', added);
  end if;
  select wanted into unknown from unnest(added || removed) wanted where not exists (select from traits t where t.name = wanted) limit 1;
  if found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'trait', 'key', unknown));
  end if;
  ids := array(select p.id from jsonb_array_elements_text(request -> 'providers') u join resource_providers p on p.uuid = u::uuid);
  if not dry then
    perform lock_providers(ids);
  end if;
  if request ? 'expects' then
    perform require_providers(request -> 'providers', request -> 'expects');
  end if;

  with had as materialized (
    select p.id, p.uuid, p.name, p.generation, array(
      select t.name from resource_provider_traits pt join traits t on t.id = pt.trait_id
      where pt.resource_provider_id = p.id order by t.name collate "C") as names
    from resource_providers p where p.id = any(ids)
  ), differing as materialized (
    select *, array(
      select name from (select unnest(had.names) union select unnest(added)) _(name)
      where name <> all(removed) order by name collate "C") as new_names
    from had
    where not added <@ had.names or removed && had.names
  )
  select
    jsonb_build_object('matched', (select count(*) from had), 'applied', not dry, 'providers', '[]'::jsonb, 'eventId', null,
      'patched', coalesce(jsonb_agg(jsonb_build_array(
        uuid, array(select unnest(added) except select unnest(d.names) order by 1), array(select unnest(removed) intersect select unnest(d.names) order by 1)
      ) order by id), '[]')),
    array_agg(id order by id), jsonb_agg(new_names order by id),
    jsonb_object_agg(uuid, jsonb_build_object(
      'before', jsonb_build_object('generation', generation, 'traits', d.names),
      'after', jsonb_build_object('generation', generation + 1, 'traits', new_names))),
    min(d.name) filter (where cardinality(new_names) > (request ->> 'most')::integer)
  into answer, changed, names, changes, crowded
  from differing d;

  if crowded is not null then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', format('%s would have more than %s traits', crowded, request ->> 'most')));
  end if;

  perform require_count(request, (answer ->> 'matched')::bigint);
  if dry then
    raise exception using errcode = 'RP000', detail = answer::text;
  end if;
  if changed is null then
    return answer;
  end if;
  perform write_traits(changed, names);
  return answer || jsonb_build_object(
    'providers', bump_providers(changed) -> 'rows',
    'eventId', record_event(request ->> 'kind', request -> 'by', jsonb_build_object('providers', changes)));
end $$;
