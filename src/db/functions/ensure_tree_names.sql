-- Makes sure that the custom classes and traits, and the aggregates, that a desired tree names exist. Before any provider is locked.
create or replace function ensure_tree_names(providers jsonb) returns void language plpgsql as $$
begin
  insert into resource_classes (name)
  select distinct i ->> 'resourceClass' as name
  from jsonb_array_elements(providers) d cross join jsonb_array_elements(d -> 'inventories') i
  where i ->> 'resourceClass' like 'CUSTOM\_%' and not exists (select from resource_classes rc where rc.name = i ->> 'resourceClass')
  order by name on conflict do nothing;
  insert into traits (name)
  select distinct t as name from jsonb_array_elements(providers) d cross join jsonb_array_elements_text(d -> 'traits') t
  where t like 'CUSTOM\_%' and not exists (select from traits known where known.name = t)
  order by name on conflict do nothing;
  perform ensure_aggregates((
    select coalesce(jsonb_agg(distinct a), '[]') from jsonb_array_elements(providers) d cross join jsonb_array_elements(d -> 'aggregates') a));
end $$;
