-- Finds derived values that differ from the rows that they follow from: inventories whose `used` is not the sum of their allocations (`use`: provider, class,
-- the sum) or whose `promised` is not what reservations keep (`promise`), providers whose root is not the top of their parents (`root`: provider, the top), and consumers that hold nothing and have no event (`consumer`).
-- Leaves out what cannot be decided: parents in a loop, and the use of `contested` providers.
create or replace function mendable_rows(contested uuid[]) returns table (kind text, id bigint, class int, due bigint) language sql stable as $$
  select 'use', i.resource_provider_id, i.resource_class_id, coalesce(held.amount, 0)
  from inventories i
  join resource_providers p on p.id = i.resource_provider_id
  left join (
    select a.resource_provider_id, a.resource_class_id, sum(a.used)::bigint as amount from allocations a group by 1, 2
  ) held using (resource_provider_id, resource_class_id)
  where i.used <> coalesce(held.amount, 0) and coalesce(held.amount, 0) >= 0 and p.uuid <> all(contested)
  union all
  select 'promise', m.* from mendable_promises() m
  union all
  select 'root', child.id, null, top from (
    with recursive below(id, top) as (
      select p.id, p.id from resource_providers p where p.parent_provider_id is null
      union all
      select child.id, below.top from resource_providers child join below on child.parent_provider_id = below.id
    )
    select below.id, below.top from below join resource_providers p using (id) where p.root_provider_id <> below.top
  ) child
  union all
  select 'consumer', c.id, null, null from consumers c
  where not exists (select from allocations a where a.consumer_id = c.id) and not exists (select from event_subjects s where s.subject = c.uuid)
$$;
