-- Last step of a write whose caller may write to some trees only: refuses FORBIDDEN if a provider that it has changed, or that its answer names, is in
-- another tree now: because it was moved or renamed, or because the answer was stored while the caller still owned it.
create or replace function end_owned_write(answer jsonb) returns void language plpgsql as $$
begin
  perform lock_providers(array(
    select c.resource_provider_id from provider_changes c where c.xid = pg_current_xact_id_if_assigned()
    union
    select p.id from resource_providers p where p.uuid in (
      select (value #>> '{}')::uuid
      from unnest(array['$.**.uuid', '$.**.provider']::jsonpath[]) place cross join jsonb_path_query(answer - 'besides', place) value
      where jsonb_typeof(value) = 'string')));
end $$;
