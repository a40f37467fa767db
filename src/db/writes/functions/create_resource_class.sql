-- Creates a custom class unless it exists. The caller has checked the name. Returns `created`, `resourceClass`, `eventId`.
create or replace function create_resource_class(request jsonb) returns jsonb language plpgsql as $$
begin
  insert into resource_classes (name)
  select request ->> 'name' where not exists (select from resource_classes rc where rc.name = request ->> 'name') on conflict do nothing;
  if not found then
    return jsonb_build_object('created', false, 'resourceClass', (select jsonb_build_object('id', n.id, 'name', n.name) from resource_classes n where n.name = request ->> 'name'), 'eventId', null);
  end if;
  return jsonb_build_object('created', true, 'resourceClass', (select jsonb_build_object('id', n.id, 'name', n.name) from resource_classes n where n.name = request ->> 'name'), 'eventId', record_event(request ->> 'kind', request -> 'by',
    jsonb_build_object('resourceClasses', jsonb_build_object(request ->> 'name', jsonb_build_object('before', null, 'after', '{}'::jsonb)))));
end $$;
