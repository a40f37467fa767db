-- The places of those parts of claim_together's request that must be refused, or that may have no room beside the others: of an inventory
-- without room for all, the smallest amounts come first.
-- ids: of the consumers; those that already exist have no row under theirs. locked: providers that others have locked.
-- roomy: the inventories with room for all, which already count it.
create or replace function claims_to_try_alone(request jsonb, ids bigint[], locked uuid[], roomy_providers bigint[], roomy_classes int[]) returns int[] language sql stable as $$
  with asked as (
    select r.consumer, r.amount, p.uuid, i.resource_provider_id as provider, i.resource_class_id as class, i.min_unit, i.max_unit, i.step_size,
           i.capacity - i.used as free, sum(r.amount) over (partition by p.id, c.id order by r.amount, r.consumer rows unbounded preceding) as in_turn
    from jsonb_to_recordset(request -> 'rows') as r(consumer int, provider uuid, "resourceClass" text, amount bigint)
    left join resource_providers p on p.uuid = r.provider
    left join resource_classes c on c.name = r."resourceClass"
    left join inventories i on i.resource_provider_id = p.id and i.resource_class_id = c.id
  ),
  doomed as materialized (
    select consumer from asked
    where provider is null or uuid = any(locked) or not obeys_units(amount, min_unit, max_unit, step_size)
       or in_turn > free and (provider, class) not in (select * from unnest(roomy_providers, roomy_classes))
    union
    select n::int from unnest(ids) with ordinality as given(id, n) where not exists (select from consumers c where c.id = given.id)
  )
  select array(
    select part.place from jsonb_to_recordset(request -> 'parts') as part(place int, first int, consumers jsonb)
    where exists (select from doomed where consumer > part.first and consumer <= part.first + jsonb_array_length(part.consumers))
    union
    -- A key that has an answer was used before: tried alone, its part gets that answer.
    select k.place from jsonb_to_recordset(request -> 'keys') as k(place int, principal text, operation text, key text)
    join idempotency_keys used using (principal, operation, key) where used.answer is not null
    order by 1)
$$;
