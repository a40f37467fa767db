-- Replaces all traits of a locked provider. Bumps nothing. Refuses NOT_FOUND. Returns `before` and `after`.
create or replace function write_traits(provider resource_providers, names jsonb) returns jsonb language plpgsql as $$
declare
  before jsonb := trait_names(provider.id);
  unknown text;
begin
  -- Locked against deletion before anything is read: a write that waits here for a deletion finds the trait gone.
  perform from traits t where t.name in (select jsonb_array_elements_text(names)) order by t.id for key share;
  select n into unknown from jsonb_array_elements_text(names) n where not exists (select from traits t where t.name = n) limit 1;
  if found then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'trait', 'key', unknown));
  end if;
  delete from resource_provider_traits pt using traits t
  where pt.resource_provider_id = provider.id and t.id = pt.trait_id and not names ? t.name;
  insert into resource_provider_traits (resource_provider_id, trait_id)
  select provider.id, t.id from (select distinct jsonb_array_elements_text(names)) as wanted(name) join traits t using (name)
  order by t.id
  on conflict do nothing;
  return jsonb_build_object('before', before, 'after', trait_names(provider.id));
end $$;
