-- Checks the caller's expectations of many locked providers, refused together: `expects` has one for each of `providers` at its place (check_generation).
-- With a class, all must have an inventory of it. Refuses NOT_FOUND, PROVIDER_CONFLICT, NO_INVENTORY.
create or replace function require_providers(providers jsonb, expects jsonb, class text default null) returns void language plpgsql as $$
declare
  faults jsonb;
begin
  select jsonb_agg(fault order by place) into faults
  from (
    select place, case
      when p.id is null then jsonb_build_object('code', 'NOT_FOUND', 'details', jsonb_build_object('noun', 'resourceProvider', 'key', named.key))
      when expect ? 'generation' and (expect ->> 'generation')::bigint <> p.generation then jsonb_build_object('code', 'PROVIDER_CONFLICT',
        'details', jsonb_build_object('provider', p.uuid, 'expected', expect -> 'generation', 'actual', p.generation))
      when class is not null and i.resource_provider_id is null then jsonb_build_object('code', 'NO_INVENTORY', 'details', jsonb_build_object(
        'provider', p.uuid, 'resourceClass', class))
    end as fault
    from jsonb_array_elements_text(providers) with ordinality named(key, place)
    join jsonb_array_elements(expects) with ordinality wanted(expect, at) on wanted.at = named.place
    left join resource_providers p on p.uuid = named.key::uuid
    left join inventories i on i.resource_provider_id = p.id
      and i.resource_class_id = (select rc.id from resource_classes rc where rc.name = class)
  ) checked
  where fault is not null;
  if faults is not null then
    perform refuse_all(faults);
  end if;
end $$;
