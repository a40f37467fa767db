-- Creates a custom trait unless it exists, which is refused (DUPLICATE) with `mustBeNew`. The caller has checked the name. Returns `created`, `trait`, `eventId`.
create or replace function create_trait(request jsonb) returns jsonb language plpgsql as $$
declare
  known jsonb;
  is_new boolean;
begin
  insert into traits (name) select request ->> 'name' where not exists (select from traits t where t.name = request ->> 'name') on conflict do nothing;
  is_new := found;
  known := (select jsonb_build_object('id', n.id, 'name', n.name) from traits n where n.name = request ->> 'name');
  if known is null then
    perform try_again('the trait was deleted meanwhile');
  end if;
  if not is_new and (request ->> 'mustBeNew')::boolean then
    perform refuse('DUPLICATE', jsonb_build_object('noun', 'trait', 'field', 'name', 'key', request ->> 'name', 'existing', request ->> 'name'));
  end if;
  return jsonb_build_object('created', is_new, 'trait', known, 'eventId', case when is_new then record_event(
    request ->> 'kind', request -> 'by',
    jsonb_build_object('traits', jsonb_build_object(request ->> 'name', jsonb_build_object('before', null, 'after', '{}'::jsonb)))) end);
end $$;
