-- Deletes a custom class that no provider has an inventory of, with the quotas of it. Refuses NOT_FOUND, IN_USE. The row lock keeps new inventories out meanwhile.
-- If there are default quotas, projects that are being added get them before or after it (ensure_consumer_names): then it finds their quotas, or they do not find the class.
create or replace function delete_resource_class(request jsonb) returns jsonb language plpgsql as $$
declare
  doomed int;
  holders record;
  changes jsonb;
begin
  perform pg_advisory_xact_lock(8778009, hashtext('records'::regclass::oid::text)) from records r where r.kind = 'default_quotas';
  select rc.id into doomed from resource_classes rc where rc.name = request ->> 'name' for update;
  if not found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', request ->> 'name'));
  end if;
  select count(*) as count, (array_agg(p.uuid order by p.id))[:10] as uuids into holders
  from inventories i join resource_providers p on p.id = i.resource_provider_id where i.resource_class_id = doomed;
  if holders.count > 0 then
    perform refuse('IN_USE', jsonb_build_object('noun', 'resourceClass', 'key', request ->> 'name', 'by', holders.uuids, 'count', holders.count));
  end if;
  delete from resource_classes rc where rc.id = doomed;
  delete from quota_uses q where q.resource_class_id = doomed;
  changes := jsonb_build_object('resourceClasses', jsonb_build_object(request ->> 'name', jsonb_build_object('before', '{}'::jsonb, 'after', null)))
    || change_class_of_quotas(request ->> 'name', null);
  update change_feed set names_deleted_xid = pg_current_xact_id();
  return jsonb_build_object('eventId', record_event(request ->> 'kind', request -> 'by', changes));
end $$;
