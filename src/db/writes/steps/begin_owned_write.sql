-- First step of a write whose caller may write to some trees only: `owned` of the request is the condition that their roots fulfil. From here on
-- lock_providers refuses FORBIDDEN for providers of other trees, under the locks of their roots. What the request names is looked at before anything is
-- locked: what a refusal says and how long it takes must not tell of other trees. Names that all trees share can only be added to.
create or replace function begin_owned_write(operation text, request jsonb) returns void language plpgsql as $$
declare
  named jsonb[];
  uuids uuid[]; names text[]; ids bigint[];
begin
  perform set_config('placement.owned', request ->> 'owned', true);
  if operation in ('create_trait', 'create_resource_class', 'keep_answer') then
    return;
  end if;
  if operation in ('name_aggregate', 'delete_trait', 'delete_resource_class', 'rename_resource_class') then
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
    join consumers c on c.uuid = (e ->> 'uuid')::uuid join allocations a on a.consumer_id = c.id);
  perform refuse_foreign(ids);
  if operation in ('report_service', 'import_records') then
    -- What hosts report beside their trees is of the root with their name, be it there or not.
    perform lock_providers(ids);
    if exists (select from unnest(names) host where not exists (select from resource_providers p where p.name = host)
        and not owns_root(request -> 'owned', jsonb_populate_record(null::resource_providers, jsonb_build_object('name', host, 'created_at', now())))) then
      perform refuse('FORBIDDEN', '{}');
    end if;
  end if;
end $$;
