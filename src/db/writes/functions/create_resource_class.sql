-- Creates a custom class unless it exists, or gives an existing one (`rename`) this name, as before 1.7.
-- The caller has checked the names. Refuses NOT_FOUND, DUPLICATE, both only of a rename. Returns `created`.
create or replace function create_resource_class(request jsonb) returns jsonb language plpgsql as $$
begin
  if request ? 'rename' then
    return rename_resource_class(request);
  end if;
  insert into resource_classes (name)
  select request ->> 'name' where not exists (select from resource_classes rc where rc.name = request ->> 'name') on conflict do nothing;
  if not found then
    return jsonb_build_object('created', false, 'eventId', null);
  end if;
  return jsonb_build_object('created', true, 'eventId', record_event(request ->> 'kind', request -> 'by',
    jsonb_build_object('resourceClasses', jsonb_build_object(request ->> 'name', jsonb_build_object('before', null, 'after', '{}'::jsonb)))));
end $$;
