-- Sets or removes the name of an aggregate. Refuses DUPLICATE. Returns `aggregate`, `eventId`.
create or replace function name_aggregate(request jsonb) returns jsonb language plpgsql as $$
declare
  aggregate uuid := (request ->> 'aggregate')::uuid;
  before text;
  taken uuid;
begin
  perform ensure_aggregates(jsonb_build_array(aggregate));
  select a.name into before from placement_aggregates a where a.uuid = aggregate for update;
  select a.uuid into taken from placement_aggregates a where a.name = request ->> 'name' and a.uuid <> aggregate;
  if found then
    perform refuse('DUPLICATE', jsonb_build_object('noun', 'aggregate', 'field', 'name', 'key', request ->> 'name', 'existing', taken));
  end if;
  update placement_aggregates a set name = request ->> 'name', changed_xid = pg_current_xact_id() where a.uuid = aggregate;
  return jsonb_build_object('aggregate', (
      select jsonb_build_object('id', a.id, 'uuid', a.uuid, 'name', a.name) from placement_aggregates a where a.uuid = aggregate), 'eventId', record_event(request ->> 'kind', request -> 'by', jsonb_build_object('aggregates',
    jsonb_build_object(aggregate, jsonb_build_object('before', jsonb_build_object('name', before), 'after', jsonb_build_object('name', request ->> 'name'))))));
end $$;
