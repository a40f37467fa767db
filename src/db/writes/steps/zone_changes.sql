-- Like owned_changes, but for each aggregate (`zone`) for which the owners have a quota. Allocations on a provider count in the aggregates of its root.
-- The providers are locked, so their roots and aggregates cannot change meanwhile: a write that moves a provider locks it, and so does one that changes the
-- aggregates of its root (note_zones). Such a write uses the aggregates from before it began.
create or replace function zone_changes(
  projects bigint[], owner_of int[], row_consumers int[], provider_ids bigint[], row_providers int[], class_ids int[], row_classes int[], amounts bigint[]
) returns table (owner int, consumer int, class int, zone bigint, amount bigint) language plpgsql as $$
declare
  noted constant jsonb := noted_zones();
  zones constant bigint[] := array(
    select distinct q.aggregate_id from quota_uses q where q.aggregate_id is not null and q.project_id in (
      select unnest(projects) union select above.parent_id from project_parents above where above.project_id = any(projects)));
begin
  if zones = '{}' then
    return;
  end if;
  return query
    with placed as materialized (
      select row_consumers[n] as place, class_ids[row_classes[n]] as class_id, m.zone as aggregate_id, given
      from unnest(amounts) with ordinality as _(given, n)
      cross join lateral zones_of(provider_ids[row_providers[n]], noted) m
      where m.zone = any(zones)
    )
    select owner_of[place], place, class_id, aggregate_id, given from placed
    union all
    select distinct owner_of[place], place, null::int, aggregate_id, sign(given)::bigint from placed;
end $$;
