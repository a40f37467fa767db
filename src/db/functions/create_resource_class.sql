-- Creates a custom class unless it exists, or gives an existing one (`rename`) this name, as before 1.7.
-- The caller has checked the names. Refuses NOT_FOUND, DUPLICATE, both only of a rename. Returns `created`.
create or replace function create_resource_class(request jsonb) returns jsonb language plpgsql as $$
declare
  renamed int;
begin
  if request ? 'rename' then
    select rc.id into renamed from resource_classes rc where rc.name = request ->> 'rename' for update;
    if not found then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceClass', 'key', request ->> 'rename'));
    end if;
    begin
      update resource_classes rc set name = request ->> 'name', updated_at = now(), changed_xid = pg_current_xact_id() where rc.id = renamed;
    exception when unique_violation then
      perform refuse('DUPLICATE', jsonb_build_object('noun', 'resourceClass', 'field', 'name', 'key', request ->> 'name', 'existing', null));
    end;
    return jsonb_build_object('created', false, 'eventId', record_event(request ->> 'kind', request -> 'by', jsonb_build_object('resourceClasses',
      jsonb_build_object(request ->> 'rename', jsonb_build_object('before', '{}'::jsonb, 'after', null),
                         request ->> 'name', jsonb_build_object('before', null, 'after', '{}'::jsonb)))));
  end if;
  insert into resource_classes (name)
  select request ->> 'name' where not exists (select from resource_classes rc where rc.name = request ->> 'name') on conflict do nothing;
  if not found then
    return jsonb_build_object('created', false, 'eventId', null);
  end if;
  return jsonb_build_object('created', true, 'eventId', record_event(request ->> 'kind', request -> 'by',
    jsonb_build_object('resourceClasses', jsonb_build_object(request ->> 'name', jsonb_build_object('before', null, 'after', '{}'::jsonb)))));
end $$;
