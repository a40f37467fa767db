-- Changes the name of a class in the quotas that were set for it, or removes these quotas if the new name is null. Returns the changes in the form of an event:
-- by kind and uuid of the records, or nothing.
create or replace function change_class_of_quotas(old_name text, new_name text) returns jsonb language plpgsql as $$
declare
  named constant jsonb := jsonb_build_array(jsonb_build_object('resourceClass', old_name));
  changes jsonb;
begin
  perform from records r where r.kind in ('default_quotas', 'project_quotas') and r.body -> 'quotas' @> named order by r.uuid for update;
  with changed as (
    update records r set updated_at = now(), body = r.body || jsonb_build_object(
      'generation', (r.body ->> 'generation')::bigint + 1,
      'quotas', (
        select coalesce(jsonb_agg(case when q ->> 'resourceClass' = old_name then q || jsonb_build_object('resourceClass', new_name) else q end order by n), '[]')
        from jsonb_array_elements(r.body -> 'quotas') with ordinality as _(q, n)
        where new_name is not null or q ->> 'resourceClass' is distinct from old_name))
    from records old
    where r.kind in ('default_quotas', 'project_quotas') and r.body -> 'quotas' @> named and (old.kind, old.name) = (r.kind, r.name)
    returning r.kind || ' ' || r.uuid as key, changed_keys(old.body, r.body) as change
  )
  select case when count(*) > 0 then jsonb_build_object('records', jsonb_object_agg(key, change)) else '{}' end into changes from changed;
  return changes;
end $$;
