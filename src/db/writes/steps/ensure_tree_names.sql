-- Locks the classes and traits named by a desired tree (lock_names) and creates the custom ones and the aggregates that are missing. Called
-- before any consumer or provider is locked.
-- Returns the new classes and traits, in the form of an event's changes; empty when there are none.
create or replace function ensure_tree_names(providers jsonb) returns jsonb language plpgsql as $$
declare
  created constant jsonb := '{"before": null, "after": {}}';
  class_names text[] := array(
    select distinct i ->> 'resourceClass' from jsonb_array_elements(providers) d cross join jsonb_array_elements(d -> 'inventories') i);
  trait_names text[] := array(select distinct t from jsonb_array_elements(providers) d cross join jsonb_array_elements_text(d -> 'traits') t);
  locked text[];
  added text[];
  changes jsonb := '{}';
begin
  locked := array(select rc.name from resource_classes rc where rc.name = any(class_names) order by rc.id for key share);
  with inserted as (
    insert into resource_classes (name)
    select name from unnest(class_names) as name where name like 'CUSTOM\_%' and name <> all(locked) order by name collate "C"
    on conflict do nothing
    returning name
  )
  select coalesce(array_agg(name), '{}') into added from inserted;
  if added <> '{}' then
    changes := changes || jsonb_build_object('resourceClasses', (select jsonb_object_agg(name, created) from unnest(added) as name));
  end if;
  if exists (select from resource_classes rc where rc.name = any(class_names) and rc.name <> all(locked || added)) then
    perform try_again('a resource class was created meanwhile');
  end if;

  locked := array(select t.name from traits t where t.name = any(trait_names) order by t.id for key share);
  with inserted as (
    insert into traits (name)
    select name from unnest(trait_names) as name where name like 'CUSTOM\_%' and name <> all(locked) order by name collate "C"
    on conflict do nothing
    returning name
  )
  select coalesce(array_agg(name), '{}') into added from inserted;
  if added <> '{}' then
    changes := changes || jsonb_build_object('traits', (select jsonb_object_agg(name, created) from unnest(added) as name));
  end if;
  if exists (select from traits t where t.name = any(trait_names) and t.name <> all(locked || added)) then
    perform try_again('a trait was created meanwhile');
  end if;

  perform ensure_aggregates((
    select coalesce(jsonb_agg(distinct a), '[]') from jsonb_array_elements(providers) d cross join jsonb_array_elements(d -> 'aggregates') a));
  return changes;
end $$;
