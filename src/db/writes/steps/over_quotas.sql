-- The consumers with which allocations, in the form that hold_allocations takes, go beyond a quota: each for each such quota (`nth`), with the reason for a
-- refusal. What adds nothing to the use of a quota is never beyond it.
-- consumers: how many there are. What these held before follows them in the same order (write_allocations). are_taken: take_quotas has added the allocations.
create or replace function over_quotas(
  projects bigint[], users bigint[], types bigint[], owner_of int[], row_consumers int[], provider_ids bigint[], row_providers int[],
  class_ids int[], row_classes int[], amounts bigint[], consumers int, are_taken boolean
) returns table (nth bigint, consumer int, reason jsonb) language plpgsql as $$
begin
  return query
    with gained as (
      select own.quota, (c.consumer - 1) % consumers + 1 as consumer, sum(c.amount) as gain,
             sum(sum(c.amount)) over (partition by own.quota order by (c.consumer - 1) % consumers + 1) as so_far,
             sum(sum(c.amount)) over (partition by own.quota) as requested
      from (
        select *, null::bigint as zone from owned_changes(owner_of, row_consumers, class_ids, row_classes, amounts)
        union all
        select z.owner, z.consumer, z.class, z.amount, z.zone
        from zone_changes(projects, owner_of, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts) z
      ) c
      cross join lateral quotas_of(projects[c.owner], users[c.owner], types[c.owner], c.class, c.zone) as own(quota)
      group by 1, 2
    )
    select q.id, g.consumer, jsonb_build_object('code', 'QUOTA_EXCEEDED', 'details', jsonb_build_object(
      'project', p.external_id, 'user', u.external_id, 'consumerType', t.name, 'resourceClass', rc.name,
      'aggregate', a.uuid, 'amount', q.most, 'used', before.used, 'requested', g.requested))
    from gained g
    join quota_uses q on q.id = g.quota
    cross join lateral (select q.used - case when are_taken then g.requested else 0 end as used) before
    join projects p on p.id = q.project_id
    left join users u on u.id = q.user_id
    left join consumer_types t on t.id = q.consumer_type_id
    left join resource_classes rc on rc.id = q.resource_class_id
    left join placement_aggregates a on a.id = q.aggregate_id
    where g.requested > 0 and before.used + g.requested > q.most and g.gain > 0 and before.used + g.so_far > q.most
    order by q.id, g.consumer;
end $$;
