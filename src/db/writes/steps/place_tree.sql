-- Creates, renames and moves the providers of a desired tree. Returns their ids, in the order of the list.
-- desired: `[{uuid, name, parent, expect}]` with other keys, parents before children, no uuid and no name twice. An existing one is found by its uuid, as the root, or
-- else by its name. members: the ids of all current descendants of the root, and its own.
-- Refuses DUPLICATE (of another tree, or a name that is taken), INVALID_INPUT (the root has a parent), NOT_FOUND, PROVIDER_CONFLICT for the first in the
-- list. The result is as if each provider were placed before the next: a name that one gives up is free for those after it.
create or replace function place_tree(root uuid, desired jsonb, members bigint[]) returns bigint[] language plpgsql as $$
declare
  -- The places of the list, from 1, by name and by uuid.
  places_of_names constant jsonb := (
    select jsonb_object_agg(d ->> 'name', place) from jsonb_array_elements(desired) with ordinality as _(d, place));
  places_of_uuids constant jsonb := (
    select jsonb_object_agg(coalesce(d ->> 'uuid', root::text), place) from jsonb_array_elements(desired) with ordinality as _(d, place)
    where d ->> 'uuid' is not null or d ->> 'parent' is null);
  wanted record;
  member resource_providers;
  parent resource_providers;
  -- One element each, in the order of the list.
  ids bigint[] := '{}'; names text[] := '{}'; parents bigint[] := '{}';
  added bigint[] := '{}'; added_uuids uuid[] := '{}'; added_names text[] := '{}'; added_parents bigint[] := '{}';
  renamed int[] := '{}';
  moved int[] := '{}';
begin
  for wanted in
    select place::int, d ->> 'name' as name, (d ->> 'uuid')::uuid as uuid, d ->> 'parent' is null as is_root, d -> 'expect' as expect,
           (places_of_names ->> (d ->> 'parent'))::int as parent_place, known, owner as owner_of_name, (places_of_uuids ->> owner.uuid::text)::int as owner_place
    from jsonb_array_elements(desired) with ordinality as _(d, place)
    left join resource_providers known on known.uuid = coalesce((d ->> 'uuid')::uuid, case when d ->> 'parent' is null then root end)
    left join resource_providers owner on owner.name = d ->> 'name'
    order by place
  loop
    if wanted.owner_place < wanted.place then
      wanted.owner_of_name := null;
    end if;
    member := case when wanted.uuid is null and not wanted.is_root then wanted.owner_of_name else wanted.known end;
    names := names || wanted.name;
    parents := parents || ids[wanted.parent_place];
    if member.id is null then
      if wanted.expect ? 'generation' then
        perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceProvider', 'key', coalesce(wanted.uuid::text, wanted.name)));
      end if;
      if (wanted.owner_of_name).id is not null then
        perform refuse_duplicate_provider(wanted.uuid, wanted.name);
      end if;
      ids := ids || nextval('resource_providers_id_seq');
      added := added || ids[wanted.place];
      added_uuids := added_uuids || coalesce(wanted.uuid, case when wanted.is_root then root end, gen_random_uuid());
      added_names := added_names || wanted.name;
      added_parents := added_parents || parents[wanted.place];
    else
      if not member.id = any(members) then
        perform refuse_duplicate_provider(coalesce(wanted.uuid, case when wanted.is_root then root end), wanted.name);
      end if;
      if wanted.is_root and member.parent_provider_id is not null then
        perform refuse('INVALID_INPUT', jsonb_build_object('message', 'root has a parent: apply the tree that it belongs to'));
      end if;
      -- Found by a name that it will lose: a later entry of the list identifies it by its uuid.
      if wanted.uuid is null and not wanted.is_root and wanted.owner_place is not null then
        perform refuse_duplicate_provider(null, wanted.name);
      end if;
      if wanted.expect ? 'generation' then
        perform check_generation(member, wanted.expect);
      end if;
      if member.name <> wanted.name then
        if (wanted.owner_of_name).id is not null then
          perform refuse_duplicate_provider(null, wanted.name);
        end if;
        renamed := renamed || wanted.place;
      end if;
      if member.parent_provider_id is distinct from parents[wanted.place] then
        moved := moved || wanted.place;
      end if;
      ids := ids || member.id;
    end if;
  end loop;

  -- One by one, because some take the names that others give up.
  for n in 1..cardinality(renamed) loop
    update resource_providers p set name = names[renamed[n]] where p.id = ids[renamed[n]];
  end loop;
  if cardinality(added) > 0 then
    perform insert_providers(
      added, added_uuids, added_names, array_fill(0::bigint, array[cardinality(added)]), added_parents, array_fill(ids[1], array[cardinality(added)]));
  end if;
  for n in 1..cardinality(moved) loop
    select * into member from resource_providers p where p.id = ids[moved[n]];
    select * into parent from resource_providers p where p.id = parents[moved[n]];
    perform place_provider(member, parent);
  end loop;
  return ids;
end $$;
