-- The places of those parts of claim_together's request that must be refused, or that may have no room beside the others: of an inventory
-- without room for all, the smallest amounts come first.
-- consumers, providers, classes, amounts: the allocations that were not added, with all others of the same inventories; `consumers` are indexes into
-- `ids` and `parts` (places), providers and classes are null where an allocation is refused whatever others claim. all_added: whether all
-- consumers are new; existing ones have no row under the new id. keys: as in the request. A key that has an answer was used before; its part, tried
-- alone, gets that answer.
create or replace function parts_to_try_alone(
  ids bigint[], parts int[], all_added boolean, consumers int[], providers bigint[], classes int[], amounts bigint[], keys jsonb
) returns int[] language sql stable as $$
  select array(
    select parts[consumer] from unnest(consumers, providers) as asked(consumer, provider) where provider is null
    union
    select parts[consumer]
    from (
      select crowded.consumer, i.capacity - i.used as free,
             sum(crowded.amount) over (partition by crowded.provider, crowded.class order by crowded.amount, crowded.consumer rows unbounded preceding) as in_turn
      from unnest(consumers, providers, classes, amounts) as crowded(consumer, provider, class, amount)
      join inventories i on i.resource_provider_id = crowded.provider and i.resource_class_id = crowded.class
    ) queued
    where in_turn > free
    union
    select parts[n] from unnest(ids) with ordinality as given(id, n)
    where not all_added and not exists (select from consumers c where c.id = given.id)
    union
    select k.place from jsonb_to_recordset(keys) as k(place int, principal text, operation text, key text)
    join idempotency_keys used using (principal, operation, key) where used.answer is not null
    order by 1)
$$;
