-- Creates the missing custom classes, custom traits and aggregates named by a desired tree. Called before any provider is locked.
-- Returns the new classes and traits, in the form of an event's changes; empty when there are none.
create or replace function ensure_tree_names(providers jsonb) returns jsonb language plpgsql as $$
declare
  new_classes jsonb;
  new_traits jsonb;
begin
  with added as (
    insert into resource_classes (name)
    select distinct i ->> 'resourceClass' as name
    from jsonb_array_elements(providers) d cross join jsonb_array_elements(d -> 'inventories') i
    where i ->> 'resourceClass' like 'CUSTOM\_%' and not exists (select from resource_classes rc where rc.name = i ->> 'resourceClass')
    order by name on conflict do nothing
    returning name
  )
  select jsonb_object_agg(name, '{"before": null, "after": {}}'::jsonb) into new_classes from added;
  with added as (
    insert into traits (name)
    select distinct t as name from jsonb_array_elements(providers) d cross join jsonb_array_elements_text(d -> 'traits') t
    where t like 'CUSTOM\_%' and not exists (select from traits known where known.name = t)
    order by name on conflict do nothing
    returning name
  )
  select jsonb_object_agg(name, '{"before": null, "after": {}}'::jsonb) into new_traits from added;
  perform ensure_aggregates((
    select coalesce(jsonb_agg(distinct a), '[]') from jsonb_array_elements(providers) d cross join jsonb_array_elements(d -> 'aggregates') a));
  return case when new_classes is null then '{}' else jsonb_build_object('resourceClasses', new_classes) end
    || case when new_traits is null then '{}' else jsonb_build_object('traits', new_traits) end;
end $$;
