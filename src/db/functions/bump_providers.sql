-- Raises the generations of locked providers and marks them for the change feed. Returns their rows, and the generations as changes.
create or replace function bump_providers(ids bigint[], out rows jsonb, out changes jsonb) language plpgsql as $$
begin
  with bumped as (
    update resource_providers p
    set generation = p.generation + 1, updated_at = now(), changed_xid = pg_current_xact_id()
    where p.id = any(ids)
    returning p.*
  )
  select coalesce(jsonb_agg(provider_row(bumped) order by bumped.id), '[]'),
         coalesce(jsonb_object_agg(bumped.uuid, jsonb_build_object(
           'before', jsonb_build_object('generation', bumped.generation - 1), 'after', jsonb_build_object('generation', bumped.generation)
         )), '{}')
  into rows, changes from bumped;
end $$;
