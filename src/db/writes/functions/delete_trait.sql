-- Deletes a custom trait that no provider has. Refuses NOT_FOUND, IN_USE. The row lock keeps providers from getting it meanwhile.
create or replace function delete_trait(request jsonb) returns jsonb language plpgsql as $$
declare
  doomed bigint;
  holders record;
begin
  select t.id into doomed from traits t where t.name = request ->> 'name' for update;
  if not found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'trait', 'key', request ->> 'name'));
  end if;
  select count(*) as count, (array_agg(p.uuid order by p.id))[:10] as uuids into holders
  from resource_provider_traits pt join resource_providers p on p.id = pt.resource_provider_id where pt.trait_id = doomed;
  if holders.count > 0 then
    perform refuse('IN_USE', jsonb_build_object('noun', 'trait', 'key', request ->> 'name', 'by', holders.uuids, 'count', holders.count));
  end if;
  delete from traits t where t.id = doomed;
  update change_feed set names_deleted_xid = pg_current_xact_id();
  return jsonb_build_object('eventId', record_event(request ->> 'kind', request -> 'by',
    jsonb_build_object('traits', jsonb_build_object(request ->> 'name', jsonb_build_object('before', '{}'::jsonb, 'after', null)))));
end $$;
