-- The consumers with which allocations, in the form that hold_allocations takes, go beyond a quota: each for each such quota (`nth`), with the reason for a
-- refusal. What adds nothing to the use of a quota is never beyond it.
-- consumers: how many there are. What these held before follows them in the same order (write_allocations). are_taken: take_quotas has added the allocations.
-- own_only: if the consumers are written one after another, rather than together: those of which what they release counts for themselves only, not for later ones.
create or replace function over_quotas(
  projects bigint[], users bigint[], types bigint[], owner_of int[], row_consumers int[], provider_ids bigint[], row_providers int[],
  class_ids int[], row_classes int[], amounts bigint[], consumers int, are_taken boolean, own_only int[] default null
) returns table (nth bigint, consumer int, reason jsonb) language plpgsql as $$
begin
  return query
    with changed as (
      select own.quota, (c.consumer - 1) % consumers + 1 as consumer, sum(c.amount) as change
      from (
        select *, null::bigint as zone from owned_changes(owner_of, row_consumers, class_ids, row_classes, amounts)
        union all
        select z.owner, z.consumer, z.class, z.amount, z.zone
        from zone_changes(projects, owner_of, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts) z
      ) c
      cross join lateral quotas_of(projects[c.owner], users[c.owner], types[c.owner], c.class, c.zone) as own(quota)
      group by 1, 2
    ), counted as (
      select c.*, case when c.consumer = any(own_only) then greatest(c.change, 0) else c.change end as gain from changed c
    ), gained as (
      select c.quota, c.consumer, c.gain, sum(c.gain) over (partition by c.quota order by c.consumer) as so_far, sum(c.gain) over (partition by c.quota) as requested,
             sum(c.change) over (partition by c.quota) as taken
      from counted c
    )
    select q.id, g.consumer, jsonb_build_object('code', 'QUOTA_EXCEEDED', 'details', jsonb_build_object(
      'project', p.external_id, 'user', u.external_id, 'consumerType', t.name, 'resourceClass', rc.name,
      'aggregate', a.uuid, 'amount', q.most, 'used', before.used, 'requested', g.requested))
    from gained g
    join quota_uses q on q.id = g.quota
    cross join lateral (select q.used - case when are_taken then g.taken else 0 end as used) before
    join projects p on p.id = q.project_id
    left join users u on u.id = q.user_id
    left join consumer_types t on t.id = q.consumer_type_id
    left join resource_classes rc on rc.id = q.resource_class_id
    left join placement_aggregates a on a.id = q.aggregate_id
    where g.gain > 0 and before.used + g.so_far > q.most and (own_only is not null or g.requested > 0 and before.used + g.requested > q.most)
    order by q.id, g.consumer;
end $$;
