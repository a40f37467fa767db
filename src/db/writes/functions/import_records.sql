-- Imports records of another service. A record whose uuid or name already exists is left unchanged.
-- request: `records` ([{kind, name, uuid, body}], uuid null: that of the provider of this name, or a new one). Returns `written`, `eventId`.
create or replace function import_records(request jsonb) returns jsonb language plpgsql as $$
declare
  wanted record;
  changes jsonb := '{}';
begin
  for wanted in
    select d || jsonb_build_object('uuid', coalesce(
      (d ->> 'uuid')::uuid, (select p.uuid from resource_providers p where p.name = d ->> 'name'), gen_random_uuid())) as d
    from jsonb_array_elements(request -> 'records') d order by d ->> 'kind', d ->> 'name'
  loop
    if not exists (
      select from records r where r.kind = wanted.d ->> 'kind' and (r.name = wanted.d ->> 'name' or r.uuid = (wanted.d ->> 'uuid')::uuid)
    ) then
      changes := changes || (write_record(wanted.d) -> 'records');
    end if;
  end loop;
  return jsonb_build_object(
    'written', (select count(*) from jsonb_object_keys(changes)),
    'eventId', case when changes <> '{}' then record_event(request ->> 'kind', request -> 'by', jsonb_build_object('records', changes)) end
  );
end $$;
