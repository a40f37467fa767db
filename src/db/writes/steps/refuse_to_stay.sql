-- Locks the providers of consumers that are to expire later, or last, and refuses CAPACITY_EXCEEDED if what they hold would meet reservations. Step of set_expiry.
-- consumers, locked: as for and from lock_consumers.
create or replace function refuse_to_stay(consumers jsonb, locked record) returns void language plpgsql as $$
declare
  places int[]; providers bigint[]; classes int[]; amounts bigint[]; nth int[]; timed int[];
  reasons jsonb;
begin
  -- Also while there are no reservations: the first may be about to be made.
  perform lock_providers((held_rows(locked.previous, '{}')).provider_ids);
  if not exists (select from reservations) then
    return;
  end if;
  -- What each holds goes, and comes again with its new expiry.
  select array_agg(place), array_agg(provider), array_agg(class), array_agg(amount), array_agg(row_number) into places, providers, classes, amounts, nth
  from (
    select place::int, provider, class, amount, row_number() over ()::int
    from (
      select held.place, a.resource_provider_id as provider, a.resource_class_id as class, a.used::bigint as amount
      from unnest(locked.previous) with ordinality as held(id, place)
      cross join lateral (select * from allocations a where a.consumer_id = held.id offset 0) a
      union all
      select cardinality(locked.previous) + held.place, a.resource_provider_id, a.resource_class_id, -a.used
      from unnest(locked.previous) with ordinality as held(id, place)
      cross join lateral (select * from allocations a where a.consumer_id = held.id offset 0) a
      order by 1, 2, 3
    ) held
  ) numbered;
  timed := reserved_rows(providers, nth, classes, nth);
  if cardinality(timed) = 0 then
    return;
  end if;
  select jsonb_agg(reason order by place) into reasons
  from (
    select distinct on (places[m.place]) places[m.place] as place, refused_allocation(
      consumers #>> array[(places[m.place] - 1)::text, 'uuid'], providers[m.place], rc.name, false, 3, amounts[m.place], null, m.requested, m.available) as reason
    from misfits_in_time(
      providers, nth, classes, nth, amounts, null,
      array(select (locked.expiries || locked.old_expiries)[place] from unnest(places) with ordinality as _(place, n) order by n),
      array(select (locked.reservations || locked.old_reservations)[place] from unnest(places) with ordinality as _(place, n) order by n), timed, true) m
    join resource_classes rc on rc.id = classes[m.place]
    order by places[m.place], m.place
  ) misfit;
  if reasons is not null then
    perform refuse_all(reasons);
  end if;
end $$;
