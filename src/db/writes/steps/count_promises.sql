-- Counts anew what reservations keep on locked providers. Returns those on which that has changed: they are changed as a whole (mark_changed).
create or replace function count_promises(provider_ids bigint[]) returns bigint[] language plpgsql as $$
declare
  classes record;
  changed bigint[];
begin
  select array_agg(i.resource_provider_id) as providers, array_agg(i.resource_class_id) as ids into classes
  from inventories i
  where i.resource_provider_id = any(provider_ids) and (i.promised <> 0 or exists (
    -- One by one, as in lock_consumers.
    select from reservation_amounts a where a.resource_provider_id = i.resource_provider_id and a.resource_class_id = i.resource_class_id offset 0));
  with counted as (
    update inventories i set promised = due.promised, total = i.total
    from promises_of(classes.providers, classes.ids) due
    where i.resource_provider_id = due.provider and i.resource_class_id = due.class and i.promised <> due.promised
    returning i.resource_provider_id
  )
  select coalesce(array_agg(distinct resource_provider_id), '{}') into changed from counted;
  return changed;
end $$;
