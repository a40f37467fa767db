-- Refuses AFFINITY_VIOLATION if the policy of a group forbids the roots that its consumers have just got. The group was locked before they were written
-- (replace_allocations), so another gateway that places members at the same time waits, and then sees these.
-- affinity: {key, members (uuids), policy: TOGETHER | APART, perRoot}; the roots of a consumer are those of what it holds, except of sharing providers.
-- Optionally `unitedBy`: {kind, fact}; roots whose records of this kind have the same text as the fact count as one.
-- Optionally `leaving`: uuids of roots that the written consumers still hold but have left, as in an evacuation; these do not count.
create or replace function check_affinity(affinity jsonb, consumers jsonb) returns void language plpgsql as $$
declare
  violation record;
begin
  with written as (
    -- A migration that takes over the allocations of an instance is not a member.
    select (e ->> 'uuid')::uuid as uuid, place from jsonb_array_elements(consumers) with ordinality as _(e, place) where not e ? 'takeFrom'
  ), members as (
    select member::uuid as uuid from jsonb_array_elements_text(affinity -> 'members') member union select uuid from written
  ), held as materialized (
    select distinct c.uuid, p.root_provider_id as root_id
    -- One by one, as in lock_consumers.
    from members
    cross join lateral (select * from consumers c where c.uuid = members.uuid offset 0) c
    cross join lateral (select * from allocations a where a.consumer_id = c.id offset 0) a
    join resource_providers p on p.id = a.resource_provider_id
    where not exists (
      select from resource_provider_traits has join traits t on t.id = has.trait_id
      where has.resource_provider_id = p.id and t.name = 'MISC_SHARES_VIA_AGGREGATE')
  ), sites as materialized (
    -- Records of hosts are long, so each is read once.
    select root.id, root.uuid, coalesce(recorded.body ->> (affinity #>> '{unitedBy,fact}'), root.uuid::text) as site
    from (select distinct root_id as id from held) as _ join resource_providers root using (id)
    left join records recorded on recorded.kind = affinity #>> '{unitedBy,kind}' and recorded.uuid = root.uuid
  ), placed as materialized (
    select held.uuid, sites.uuid as root, sites.site from held join sites on sites.id = held.root_id
    where not (affinity ? 'leaving' and held.uuid in (select uuid from written) and affinity -> 'leaving' ? sites.uuid::text)
  ), others as (
    select * from placed where uuid not in (select uuid from written)
  )
  select placed.uuid, placed.root into violation
  from placed join written using (uuid)
  where case affinity ->> 'policy'
    when 'APART' then (select count(distinct other.uuid) from placed other where other.site = placed.site) > (affinity ->> 'perRoot')::int
    when 'TOGETHER' then case when exists (select from others) then placed.site not in (select site from others)
      else (select count(distinct site) from placed) > 1 end
    end
  order by written.place limit 1;
  if found then
    perform refuse('AFFINITY_VIOLATION', jsonb_build_object(
      'consumer', violation.uuid, 'provider', violation.root, 'policy', affinity ->> 'policy'));
  end if;
end $$;
