-- First step of a write whose caller may write to some trees only: `owned` of the request is the condition that their roots meet. From here on
-- lock_providers refuses FORBIDDEN for providers of other trees, under the locks of their roots. What the request names is checked before anything is
-- locked, so that neither the text nor the duration of a refusal reveals other trees. The rule of each operation is in operations.ts.
create or replace function begin_owned_write(operation text, request jsonb) returns void language plpgsql as $$
declare
  named jsonb[];
  uuids uuid[]; names text[]; ids bigint[];
begin
  perform set_config('placement.owned', request ->> 'owned', true);
  if operation in (<<ownedFree>>) then
    return;
  end if;
  if operation in (<<ownedRefused>>) then
    perform refuse('FORBIDDEN', '{}');
  end if;
  select array_agg(value) into named
  from unnest(array['$.provider', '$.uuid', '$.root', '$.parent', '$.providers[*]', '$.providers[*].uuid', '$.providers[*].provider',
    '$.consumers[*].allocations[*].provider']::jsonpath[]) place cross join jsonb_path_query(request, place) value
  where jsonb_typeof(value) = 'string';
  uuids := array(select distinct (value #>> '{}')::uuid from unnest(named) value);
  names := array(select value #>> '{}' from unnest(array['$.name', '$.host', '$.providers[*].name', '$.records[*].name']::jsonpath[]) place
    cross join jsonb_path_query(request, place) value);
  ids := array(
    select p.id from resource_providers p where p.uuid = any(uuids)
    union
    select p.id from resource_providers p where p.name = any(names)
    union
    select a.resource_provider_id from jsonb_array_elements(request -> 'consumers') e
    -- One by one, as in lock_consumers.
    cross join lateral (select * from consumers c where c.uuid = (e ->> 'uuid')::uuid offset 0) c
    cross join lateral (select * from allocations a where a.consumer_id = c.id offset 0) a);
  perform refuse_foreign(ids);
  if operation in (<<ownedHosts>>) then
    -- What a host reports beside its tree belongs to the root with its name, whether that exists or not.
    perform lock_providers(ids);
    if exists (select from unnest(names) host where not exists (select from resource_providers p where p.name = host)
        and not owns_root(request -> 'owned', jsonb_populate_record(null::resource_providers, jsonb_build_object('name', host, 'created_at', now())))) then
      perform refuse('FORBIDDEN', '{}');
    end if;
  end if;
end $$;
