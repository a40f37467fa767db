-- Last step of a write whose caller may write to some trees only: refuses FORBIDDEN if a provider that it has changed, or that its answer tells of, is in another
-- tree now, as one is that was moved or renamed, or whose answer was kept for a caller who owned it.
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
