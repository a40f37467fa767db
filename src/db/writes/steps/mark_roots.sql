-- Gives a trait to all roots of a host, or takes it from them, and bumps those that change. `mark` as for report_service.
-- Returns their changes, in the form of an event's changes of providers.
create or replace function mark_roots(mark jsonb, host text, is_marked boolean) returns jsonb language plpgsql as $$
declare
  locked bigint[];
  ids bigint[];
  before jsonb;
begin
  perform lock_names('{}', array[mark ->> 'trait']);
  loop
    ids := array(
      select p.id from records r join resource_providers p on p.uuid = r.uuid and p.parent_provider_id is null
      where r.kind = mark ->> 'kind' and r.body ->> 'host' = host
      union
      select p.id from resource_providers p
      join resource_provider_traits has on has.resource_provider_id = p.id join traits t on t.id = has.trait_id and t.name = mark ->> 'of'
      where p.name = host and p.parent_provider_id is null
        and not exists (select from records r where r.kind = mark ->> 'kind' and r.uuid = p.uuid));
    exit when ids <@ locked;
    -- During the wait they may have been renamed or reported again, so its roots may be others now.
    if locked is not null then
      perform try_again('a root got the name of a host meanwhile');
    end if;
    perform lock_providers(ids);
    locked := ids;
  end loop;
  ids := array(
    select p.id from resource_providers p where p.id = any(ids) and is_marked <> exists (
      select from resource_provider_traits has join traits t on t.id = has.trait_id
      where has.resource_provider_id = p.id and t.name = mark ->> 'trait') order by p.id);
  before := provider_states(ids);
  if is_marked then
    insert into resource_provider_traits (resource_provider_id, trait_id)
    select roots.id, t.id from unnest(ids) as roots(id) join traits t on t.name = mark ->> 'trait';
  else
    delete from resource_provider_traits has using traits t
    where t.name = mark ->> 'trait' and has.trait_id = t.id and has.resource_provider_id = any(ids);
  end if;
  perform bump_providers(ids);
  return changed_states(before, provider_states(ids));
end $$;
