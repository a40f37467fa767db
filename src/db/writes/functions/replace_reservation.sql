-- Reserves amounts for a project from one moment to another, or changes a reservation. Admitted only if at every moment of it capacity suffices (misfits_in_time);
-- what reservations keep changes only then. Consumers that claim from it stay covered; those that expire with it, or would expire after its new end, follow.
-- Refuses RESERVATION_CONFLICT, INVALID_INPUT, NOT_FOUND (a provider, a class), NO_INVENTORY, CAPACITY_EXCEEDED (what is claimed would not be covered, or there is too
-- little room at some moment), both with the uuid of the reservation as `consumer`.
-- request: `reservation` ({uuid, project, startsAt, endsAt, amounts: [{provider, resourceClass, amount}] or hosts: [uuids of roots]}; what is absent stays, a new one
-- has all), `expect`. `imported`: of an export, with its generation and times: capacity is not checked, and one that exists is left unchanged. Returns `reservation`, `eventId`.
create or replace function replace_reservation(request jsonb) returns jsonb language plpgsql as $$
declare
  wanted constant jsonb := request -> 'reservation';
  given_uuid constant uuid := (wanted ->> 'uuid')::uuid;
  is_imported constant boolean := request ? 'imported';
  owners record;
  own_consumers bigint[];
  has_ended boolean; -- and is not yet removed
  old reservations; new reservations;
  expects constant jsonb := request -> 'expect';
  before jsonb; after jsonb;
  held_before json[]; held_after json[];
  followers bigint[];
  kept record; -- the amounts before, and those after
  provider_ids bigint[];
  missing record;
  reasons jsonb;
  event_id bigint;
begin
  owners := owner_ids(array[wanted ->> 'project'], '{}', '{}');
  if owners.unknown is not null then
    perform ask_for_names(owners.unknown);
  end if;
  -- Here and below one by one, as in lock_consumers.
  own_consumers := array(
    select c.id
    from (
      select own.id, own.reservation_id
      from (select * from consumers c where c.reservation_id = (select r.id from reservations r where r.uuid = given_uuid) offset 0) own
      order by own.uuid
    ) own
    cross join lateral (select * from consumers c where c.id = own.id and c.reservation_id = own.reservation_id for no key update) c);
  select * into old from reservations r where r.uuid = given_uuid for update;
  if exists (select from consumers c where c.reservation_id = old.id and c.id <> all(own_consumers)) then
    perform try_again('a consumer claimed from the reservation meanwhile');
  end if;
  if is_imported and old.id is not null then
    return jsonb_build_object('reservation', reservation_row(old), 'eventId', null);
  end if;
  if expects ? 'generation' and (expects ->> 'generation')::bigint is distinct from old.generation or expects ? 'isNew' and old.id is not null then
    perform refuse('RESERVATION_CONFLICT', jsonb_build_object('reservation', given_uuid, 'expected', expects -> 'generation', 'actual', old.generation));
  end if;
  has_ended := coalesce(old.ends_at <= now(), false);
  new := old;
  new.project_id := coalesce(old.project_id, owners.project_ids[1]);
  new.starts_at := coalesce((wanted ->> 'startsAt')::timestamptz, old.starts_at);
  new.ends_at := coalesce((wanted ->> 'endsAt')::timestamptz, old.ends_at);
  if not is_imported and wanted ? 'startsAt' and new.starts_at < now() then
    -- One that has begun keeps its beginning.
    new.starts_at := coalesce(case when old.starts_at <= now() then old.starts_at end, now());
  end if;
  perform refuse('INVALID_INPUT', jsonb_build_object('message', fault))
  from (select case
    when new.project_id is null then 'project is required for a new reservation'
    when new.starts_at is null then 'startsAt is required for a new reservation'
    when new.ends_at is null then 'endsAt is required for a new reservation'
    when not wanted ?| '{amounts,hosts}' and old.id is null then 'hold is required for a new reservation'
    when wanted ? 'project' and new.project_id <> owners.project_ids[1] then 'project cannot change'
    when new.ends_at <= new.starts_at then 'endsAt must be after startsAt'
    when new.ends_at <= now() and not is_imported then format('endsAt must be in the future; the time of the database is %s', to_json(now()) #>> '{}')
    when new.starts_at > now() and cardinality(own_consumers) > 0 then 'startsAt cannot be in the future while consumers claim from the reservation' end as fault) found
  where fault is not null;

  provider_ids := array(
    select resource_provider_id from (select * from reservation_amounts a where a.reservation_id = old.id offset 0) a
    union
    select p.id from jsonb_array_elements(wanted -> 'amounts') m
    cross join lateral (select p.id from resource_providers p where p.uuid = (m ->> 'provider')::uuid offset 0) p
    union
    select unnest(subtree_ids(p.id)) from jsonb_array_elements_text(wanted -> 'hosts') h
    cross join lateral (select p.id from resource_providers p where p.uuid = h::uuid offset 0) p);
  provider_ids := lock_providers(provider_ids);
  if exists (select from reservation_amounts a where a.reservation_id = old.id and a.resource_provider_id <> all(provider_ids)) then
    perform try_again('what the reservation keeps was moved meanwhile');
  end if;
  select h.key, h.id is null as is_missing, h.parent_provider_id is not null as is_below, exists (
           select from unnest(subtree_ids(h.id)) member where member <> all(provider_ids)) as has_grown into missing
  from (
    select key, p.id, p.parent_provider_id from jsonb_array_elements_text(wanted -> 'hosts') with ordinality as _(key, n)
    left join lateral (select * from resource_providers p where p.uuid = key::uuid offset 0) p on true
    order by n
  ) h
  where h.id is null or h.parent_provider_id is not null or exists (select from unnest(subtree_ids(h.id)) member where member <> all(provider_ids)) limit 1;
  if missing.has_grown then
    perform try_again('a provider was added to a host meanwhile');
  elsif missing.is_below then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', format('hold must name hosts by their roots: provider %s has a parent', missing.key)));
  elsif missing.is_missing then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'resourceProvider', 'key', missing.key));
  end if;
  if wanted ? 'amounts' then
    select m.provider, named.class, p.id is null as provider_missing, rc.id is null as class_missing into missing
    from jsonb_to_recordset(wanted -> 'amounts') as m(provider uuid, "resourceClass" text, amount bigint)
    cross join lateral (select m."resourceClass" as class) named
    left join lateral (select * from resource_providers p where p.uuid = m.provider offset 0) p on true
    left join lateral (select * from resource_classes rc where rc.name = m."resourceClass" offset 0) rc on true
    left join lateral (select * from inventories i where i.resource_provider_id = p.id and i.resource_class_id = rc.id offset 0) i on true
    where i.resource_provider_id is null order by p.id is null desc, rc.id is null desc limit 1;
    if missing.provider_missing or missing.class_missing then
      perform refuse('NOT_FOUND', case when missing.provider_missing then jsonb_build_object('noun', 'resourceProvider', 'key', missing.provider)
        else jsonb_build_object('noun', 'resourceClass', 'key', missing.class) end);
    elsif missing.provider is not null then
      perform refuse('NO_INVENTORY', jsonb_build_object('consumer', given_uuid, 'provider', missing.provider, 'resourceClass', missing.class));
    end if;
  end if;
  -- counted: what is kept, or what is claimed if that is more, because of an import (promises_of).
  with claimed as materialized (
    select a.resource_provider_id as provider, a.resource_class_id as class, sum(a.used)::bigint as amount
    from unnest(own_consumers) as own(id) cross join lateral (select * from allocations a where a.consumer_id = own.id offset 0) a group by 1, 2
  ), kept_before as materialized (
    select a.resource_provider_id as provider, a.resource_class_id as class, a.amount from reservation_amounts a where a.reservation_id = old.id
  ), wanted_rows as (
    select p.id as provider, rc.id as class, m.amount
    from jsonb_to_recordset(wanted -> 'amounts') as m(provider uuid, "resourceClass" text, amount bigint)
    cross join lateral (select p.id from resource_providers p where p.uuid = m.provider offset 0) p
    cross join lateral (select rc.id from resource_classes rc where rc.name = m."resourceClass" offset 0) rc
    union all
    select i.resource_provider_id, i.resource_class_id, i.capacity
    from jsonb_array_elements_text(wanted -> 'hosts') h
    cross join lateral (select unnest(subtree_ids(p.id)) as id from resource_providers p where p.uuid = h::uuid offset 0) member
    cross join lateral (select * from inventories i where i.resource_provider_id = member.id offset 0) i
    where i.capacity > 0
    union all
    select provider, class, amount from kept_before where not wanted ?| '{amounts,hosts}'
  ), both_rows as (
    -- Grouped, not joined: writes join in nested loops (writeSettings).
    select provider, class, is_new, sum(amount)::bigint as amount, greatest(sum(amount), sum(claimed))::bigint as counted
    from (
      select provider, class, true as is_new, amount, null::bigint as claimed from wanted_rows
      union all
      select provider, class, false, amount, null from kept_before where not has_ended
      union all
      select provider, class, is_new, null, amount from claimed cross join (values (true), (false)) as _(is_new)
    ) of_reservation
    -- Of one that has ended, only what is claimed is still there, for this moment.
    group by 1, 2, 3 having count(amount) > 0 or has_ended and not is_new
  )
  select coalesce(array_agg(provider order by is_new, provider, class), '{}') as providers, coalesce(array_agg(class order by is_new, provider, class), '{}') as classes,
         coalesce(array_agg(amount order by is_new, provider, class), '{}') as amounts,
         coalesce(array_agg(case when is_new then counted else -counted end order by is_new, provider, class), '{}') as counted,
         count(*) filter (where not is_new) as before, count(*) as rows
  into kept from both_rows;
  -- One may have lost everything (drop_reserved_amounts), and stay as it is.
  if kept.rows - kept.before = 0 and not is_imported and wanted ?| '{amounts,hosts}' then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', 'hold must keep at least one amount: these hosts have no inventories'));
  elsif kept.rows - kept.before > (request ->> 'most')::int then
    perform refuse('INVALID_INPUT', jsonb_build_object('message', format('hold must have at most %s amounts, not %s', request -> 'most', kept.rows - kept.before)));
  end if;

  if not is_imported then
    select jsonb_agg(jsonb_build_object('code', 'CAPACITY_EXCEEDED', 'details', jsonb_build_object(
             'consumer', given_uuid, 'provider', p.uuid, 'resourceClass', rc.name, 'requested', lacking.requested, 'available', lacking.available))
             order by p.id, rc.id) into reasons
    from (
      -- What is claimed must stay covered. Where it was not, because of an import, no less may be kept; and where nothing is kept, it may not last longer.
      select provider, class, sum(claimed) as requested, coalesce(sum(now_kept), 0) as available
      from (
        select a.resource_provider_id as provider, a.resource_class_id as class, a.used as claimed, null::bigint as was_kept, null::bigint as now_kept
        from unnest(own_consumers) as own(id) cross join lateral (select * from allocations a where a.consumer_id = own.id offset 0) a
        union all
        select a.resource_provider_id, a.resource_class_id, null, a.amount, null from (select * from reservation_amounts a where a.reservation_id = old.id offset 0) a
        union all
        select kept.providers[n], kept.classes[n], null, null, kept.amounts[n] from generate_series(kept.before + 1, kept.rows) n
      ) of_reservation
      group by 1, 2
      having sum(claimed) > coalesce(sum(now_kept), 0)
        and (coalesce(sum(now_kept), 0) < coalesce(sum(was_kept), 0) or sum(now_kept) is null and new.ends_at > old.ends_at)
      union all
      select kept.providers[m.place], kept.classes[m.place], m.requested, m.available
      from (select array(select n::int from generate_series(1, kept.rows) n) as nth) numbered
      cross join lateral misfits_in_time(
        kept.providers, nth, kept.classes, nth, kept.counted,
        array(select case when n <= kept.before then old.starts_at else new.starts_at end from unnest(nth) n order by n),
        array(select case when n > kept.before then new.ends_at when has_ended then now() + interval '1 microsecond' else old.ends_at end from unnest(nth) n order by n), array[]::bigint[], nth, false) m
    ) lacking
    join resource_providers p on p.id = lacking.provider join resource_classes rc on rc.id = lacking.class;
    if reasons is not null then
      perform refuse_all(reasons);
    end if;
  end if;

  before := reservation_state(old.id);
  provider_ids := array(
    select unnest(kept.providers)
    union
    select resource_provider_id from (select * from reservation_amounts a where a.reservation_id = old.id offset 0) a);
  if old.id is null then
    insert into reservations (uuid, project_id, starts_at, ends_at, generation, created_at, updated_at)
    values (
      given_uuid, new.project_id, new.starts_at, new.ends_at, coalesce((wanted ->> 'generation')::bigint, 1),
      coalesce((wanted ->> 'createdAt')::timestamptz, now()), coalesce((wanted ->> 'updatedAt')::timestamptz, now()))
    on conflict do nothing returning * into new;
    if new.id is null then
      perform try_again('a reservation was created meanwhile');
    end if;
  else
    update reservations r set starts_at = new.starts_at, ends_at = new.ends_at, generation = r.generation + 1, updated_at = now() where r.id = old.id returning * into new;
    delete from reservation_amounts a where a.reservation_id = old.id;
  end if;
  insert into reservation_amounts (reservation_id, resource_provider_id, resource_class_id, amount)
  select new.id, kept.providers[n], kept.classes[n], kept.amounts[n] from generate_series(kept.before + 1, kept.rows) n;
  after := reservation_state(new.id);
  followers := array(
    select c.id from unnest(own_consumers) as own(id) cross join lateral (select * from consumers c where c.id = own.id offset 0) c
    where (c.expires_at = old.ends_at or c.expires_at > new.ends_at) and old.ends_at <> new.ends_at order by c.uuid);
  if cardinality(followers) > 0 then
    held_before := array(select c.state from consumer_rows(followers) c order by c.place);
    update consumers c set expires_at = new.ends_at, generation = c.generation + 1, updated_at = now() where c.id = any(followers);
    held_after := array(select c.state from consumer_rows(followers) c order by c.place);
  end if;
  perform count_promises(provider_ids);
  perform mark_changed(provider_ids);
  event_id := append_event(
    request ->> 'kind', request -> 'by', event_changes('{}', (
      select coalesce(json_object_agg(c.uuid, json_build_object('before', held_before[n], 'after', held_after[n])), '{}')
      from unnest(followers) with ordinality as follower(id, n)
      cross join lateral (select c.uuid from consumers c where c.id = follower.id offset 0) c)) || reservation_changes(given_uuid, before, after),
    array(select c.uuid from consumers c where c.id = any(followers)), array(select p.uuid from resource_providers p where p.id = any(provider_ids)),
    array(select p.external_id from projects p where p.id = new.project_id));
  return jsonb_build_object('reservation', reservation_row(new), 'eventId', event_id);
end $$;
