-- Replaces all traits of locked providers by traits that are locked, too (lock_names). names: an array for each provider. Bumps nothing. Refuses NOT_FOUND.
create or replace function write_traits(provider_ids bigint[], names jsonb) returns void language plpgsql as $$
declare
  wanted_names constant text[] := array(select distinct wanted from jsonb_array_elements(names) list cross join jsonb_array_elements_text(list) wanted);
  -- Traits that the providers have, which therefore cannot be deleted, and those that are locked.
  settled bigint[];
  unknown text;
begin
  settled := array(
    select t.id from traits t
    where t.name = any(wanted_names)
      and exists (select from resource_provider_traits has where has.resource_provider_id = any(provider_ids) and has.trait_id = t.id));
  settled := settled || array(select t.id from traits t where t.name = any(wanted_names) and t.id <> all(settled) order by t.id for key share skip locked);
  if exists (select from traits t where t.name = any(wanted_names) and t.id <> all(settled)) then
    perform try_again('a trait was created meanwhile');
  end if;
  select wanted into unknown from jsonb_array_elements(names) list cross join jsonb_array_elements_text(list) wanted
  where not exists (select from traits t where t.name = wanted) limit 1;
  if found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'trait', 'key', unknown));
  end if;
  with wanted as materialized (
    select distinct provider_ids[place] as provider_id, t.id as trait_id
    from jsonb_array_elements(names) with ordinality as _(list, place)
    cross join jsonb_array_elements_text(list) wanted join traits t on t.name = wanted
  ),
  gone as (
    delete from resource_provider_traits pt using (
      select had.resource_provider_id as provider_id, had.trait_id from resource_provider_traits had where had.resource_provider_id = any(provider_ids)
      except select provider_id, trait_id from wanted
    ) unwanted
    where pt.resource_provider_id = unwanted.provider_id and pt.trait_id = unwanted.trait_id
  )
  insert into resource_provider_traits (resource_provider_id, trait_id)
  select provider_id, trait_id from wanted order by provider_id, trait_id
  on conflict do nothing;
end $$;
