-- Writes consumers for several requests in one transaction: the same result as one by one, for a fraction of the work. Each consumer is new, replaced or released,
-- and is named once.
-- The parts are done in their order, of which those that only release come first. All have room together if each has it after those before it.
-- Parts that must be refused are left out, without a reason, and so are those that may have no room beside the others, or whose consumers need what this writer
-- does not know (lock_known): the caller tries these one by one (`apart`). Refuses as a whole when it would leave out all.
-- Raises no refusals: it runs without the block that would catch them, and undoes what is left out itself (apply_write).
-- Every rule is a step that it shares with the other writer of allocations, write_allocations, which takes objects and knows expiry, reservations and takeovers.
-- Through that one, new claims would execute 28 % more instructions in the database if alone, 21 % more with 10 in a call, and 18 % with 100.
--
-- request (claim-batch.ts makes it, and the answer of each part from what this returns). Its lists are columns, which cost half of what
-- objects do; one that names another has indexes into it, from 1:
--   `projects`, `users`, `types`: the names of owners, without duplicates; some have no type. Of a consumer that exists, what is null stays.
--   `consumers`, `ownerOf`, `partOf`: all consumers, none twice, each with the place of its part. 0 as its owner: it is released.
--   `expects`: as for lock_known; absent if all are new. `keptTypes`: the consumers whose type stays; absent if there are none.
--   `expiresIn`: the seconds after which each is released, null for one that lasts; absent if all do. Only new ones expire.
--   `rowConsumers`, `rowProviders`, `rowClasses`, `amounts`: what they will hold.
--   `providers`, `claims`: uuids without duplicates, and the number of parts that use each; `classes`: names without duplicates.
--   `parts`: [{kind, by, consumers, projects, classes, changes, providers, turns, later, keepGenerations}], the requests in order, as for append_events.
--     `changes` are those of its consumers, without what only the database knows of those that exist; `classes` are all that they will hold; `turns` are its
--     providers as indexes, `later` is, for each, the number of later parts that use it.
--   `quotaParts`: the places of the parts that obey the quotas of projects; absent if none does.
--   `keys`: [{place, principal, operation, key, hash, besides}], the idempotency keys of parts, without duplicates. Parts with a key have new consumers only.
-- Gateways of 0.1.0 send new consumers only (form 1).
-- Returns `at`, `consumerIds` and `eventIds` (in the order of `consumers` and `parts`), `providerRows` (by uuid, after the last part) and
-- `classIds`, all without the parts that were left out; `apart`: the places of these; `expiries`, if any expire: the moments by uuid; if some consumers existed,
-- `createdAts`: since when they do, by uuid, and `changes`: all of them, by the place of the part. For a key, the same is stored for its part alone, together with the part.
-- With `patience`, what would wait for providers that others have locked is left out, too, and `busy` has the uuids of these providers.
create or replace function claim_together(request jsonb) returns jsonb language plpgsql as $$
declare
  project_names text[]; user_names text[]; type_names text[];
  uuids uuid[]; owner_of int[]; part_of int[];
  row_consumers int[]; row_providers int[]; row_classes int[]; amounts bigint[];
  provider_uuids uuid[]; claims bigint[]; class_names text[];
  keys constant jsonb := request -> 'keys';
  has_keys constant boolean := jsonb_array_length(keys) > 0;
  refusal constant jsonb := '{"refusal": {"code": "CAPACITY_EXCEEDED", "details": {}}}';
  owners record;
  project_ids bigint[]; user_ids bigint[]; type_ids bigint[];
  ids bigint[] := '{}';
  -- If consumers exist: what is known of each, null for a new one; what they hold, with negative amounts.
  has_known constant boolean := request ? 'expects';
  expects bigint[]; kept_types int[];
  known record;
  previous bigint[];
  held record;
  released bigint[];
  states json[]; generations bigint[]; old_projects text[]; created_ats jsonb;
  keeps boolean[];
  -- The part of each allocation, and the parts that only release.
  row_parts int[]; releasing int[] := '{}';
  rows record;
  missing bigint := 0;
  -- Null if all last.
  expiries timestamptz[];
  keyed bigint := 0;
  -- One element for each of the given providers, null for those that are locked or do not exist.
  provider_ids bigint[]; provider_locks bigint[];
  locked uuid[] := '{}';
  class_ids int[];
  -- The allocations that were not added to the use of their inventories, and the parts that are left out.
  open_rows int[];
  apart int[] := '{}';
  -- Null if there are no quotas.
  is_within boolean;
  over int[] := '{}';
  kept_ids bigint[];
  -- What was left out, one element for each provider of each part.
  gone_parts int[] := '{}'; gone_providers int[] := '{}';
  raised bigint[];
  provider_rows jsonb := '{}';
  events jsonb; changes jsonb[];
  event_ids bigint[];
  result jsonb;
begin
  select * into project_names, user_names, type_names, uuids, owner_of, part_of, row_consumers, row_providers, row_classes, amounts,
    provider_uuids, claims, class_names, expects, kept_types
  from jsonb_to_record(request) as _(
    projects text[], users text[], types text[], consumers uuid[], "ownerOf" int[], "partOf" int[],
    "rowConsumers" int[], "rowProviders" int[], "rowClasses" int[], amounts bigint[],
    providers uuid[], claims bigint[], classes text[], expects bigint[], "keptTypes" int[]);
  if project_names <> '{}' then
    owners := owner_ids(project_names, user_names, type_names);
    if owners.unknown is not null then
      return jsonb_build_object('unknownNames', owners.unknown);
    end if;
    project_ids := owners.project_ids; user_ids := owners.user_ids; type_ids := owners.type_ids;
  end if;
  provider_ids := array(
    select (select p.id from resource_providers p where p.uuid = provider_uuids[n]) from generate_series(1, cardinality(provider_uuids)) n order by n);
  -- A single claim that must be refused is found before anything is locked or written: it takes no transaction id. Of consumers that exist, only the generations are
  -- compared here: to look for room would delay each resize that has it.
  if jsonb_array_length(request -> 'parts') = 1 and (case when has_known
     then exists (
       select from unnest(uuids, expects) as named(uuid, expected)
       left join lateral (select * from consumers c where c.uuid = named.uuid offset 0) c on true
       where case when expected is null then c.id is not null else (expected in (-1, c.generation)) is not true end)
     else exists (select from consumers c where c.uuid = any(uuids)) or not fit_alone(provider_ids, row_providers, class_names, row_classes, amounts) end) then
    return refusal;
  end if;
  if has_keys then
    keyed := take_keys(keys);
  end if;
  if has_known then
    known := lock_known(uuids, expects);
    previous := known.ids;
    if array_position(previous, null) is not null then
      apart := array(select part_of[n] from generate_series(1, cardinality(uuids)) n where expects[n] is not null and previous[n] is null);
    end if;
    -- From here on each consumer is its own owner. What it held follows all consumers, and so does its previous owner.
    if project_names <> '{}' then
      released := array(select previous[n] from generate_series(1, cardinality(uuids)) n where owner_of[n] = 0 and previous[n] is not null);
      project_ids := array(select coalesce(project_ids[owner_of[n]], known.projects[n]) from generate_series(1, cardinality(uuids)) n order by n);
      user_ids := array(select coalesce(user_ids[owner_of[n]], known.users[n]) from generate_series(1, cardinality(uuids)) n order by n);
      type_ids := array(
        select case when n = any(kept_types) then known.types[n] else type_ids[owner_of[n]] end from generate_series(1, cardinality(uuids)) n order by n);
    else
      -- All are released.
      released := array_remove(previous, null);
      project_ids := known.projects; user_ids := known.users; type_ids := known.types;
    end if;
    project_ids := project_ids || known.projects; user_ids := user_ids || known.users; type_ids := type_ids || known.types;
    owner_of := array(select generate_series(1, 2 * cardinality(uuids)));
    part_of := part_of || part_of;
    held := held_rows(previous, provider_ids);
    provider_ids := held.provider_ids;
    -- Who holds very much would hold up the others.
    if cardinality(held.amounts) > 300 then
      apart := apart || array(select part_of[consumer] from unnest(held.row_consumers) consumer group by 1 having count(*) > 300);
    end if;
  end if;
  for n in 1..cardinality(uuids) loop
    ids := ids || case when expects[n] is null then nextval('consumers_id_seq') else previous[n] end;
  end loop;
  kept_ids := ids;
  if request ? 'expiresIn' then
    expiries := array(
      select now() + make_interval(secs => seconds::float8) from jsonb_array_elements_text(request -> 'expiresIn') with ordinality as _(seconds, n) order by n);
    request := jsonb_set(request, '{parts}', with_expiries(request -> 'parts', uuids, expiries));
  end if;
  if not has_known or array_position(expects, null) is not null then
    missing := cardinality(ids) - coalesce(cardinality(array_remove(expects, null)), 0) - create_consumers(
      ids, uuids, owner_of, project_ids, user_ids, type_ids, previous, expiries => expiries);
  end if;
  provider_locks := lock_providers(provider_ids, some_suffice => true);
  if cardinality(provider_locks) < cardinality(provider_ids) then
    locked := array(select p.uuid from resource_providers p where p.id = any(provider_ids) and p.id <> all(provider_locks));
    provider_ids := ids_among(provider_ids, provider_locks);
  end if;
  class_ids := case when class_names = '{}' then '{}' else class_ids_of(class_names) end;
  if has_known then
    select array_agg(c.state order by c.place), array_agg(c.generation order by c.place), array_agg(c.project order by c.place),
           jsonb_object_agg(c.uuid, c.created_at) filter (where c.id is not null)
    into states, generations, old_projects, created_ats from consumer_rows(previous) c;
    row_consumers := row_consumers || held.row_consumers; row_providers := row_providers || held.row_providers; amounts := amounts || held.amounts;
    row_classes := row_classes || array(select cardinality(class_ids) + n from unnest(held.row_classes) n);
    class_ids := class_ids || held.class_ids;
    -- Where there are reservations, room depends on time, of which this writer knows nothing.
    if exists (select from reservations) then
      apart := apart || array(
        select part_of[row_consumers[n]] from unnest(reserved_rows(provider_ids, row_providers, class_ids, row_classes)) n
        where part_of[row_consumers[n]] in (select part_of[consumer] from unnest(previous) with ordinality as _(id, consumer) where id is not null));
    end if;
  end if;
  if array_position(provider_ids, null) is not null then
    apart := apart || array(select part_of[row_consumers[n]] from generate_series(1, cardinality(amounts)) n where provider_ids[row_providers[n]] is null);
  end if;
  if apart <> '{}' then
    rows := rows_without(apart, part_of, row_consumers, row_providers, row_classes, amounts);
    row_consumers := rows.row_consumers; row_providers := rows.row_providers; row_classes := rows.row_classes; amounts := rows.amounts;
  end if;
  if has_known then
    row_parts := array(select part_of[row_consumers[n]] from generate_series(1, cardinality(amounts)) n order by n);
    releasing := part_of;
  end if;
  if has_known and not 0 >= all(amounts) then
    releasing := array(select row_parts[n] from generate_series(1, cardinality(amounts)) n group by 1 having bool_and(amounts[n] < 0));
    open_rows := take_room_by_part(provider_ids, row_providers, class_ids, row_classes, amounts, row_parts, releasing);
  else
    open_rows := take_room(provider_ids, row_providers, class_ids, row_classes, amounts);
  end if;
  -- All that a part concerns are locked at once: it may have to be taken back.
  is_within := take_quotas(
    project_ids, user_ids, type_ids, owner_of, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts, locks_all => has_known);
  if request ? 'quotaParts' and (not is_within or has_known and is_within) then
    over := array(
      select distinct part_of[o.consumer]
      from over_quotas(
        project_ids, user_ids, type_ids, owner_of, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts, cardinality(ids), true,
        array(select n::int from unnest(previous) with ordinality as _(id, n) where id is not null and part_of[n] <> all(releasing))) o
      where request -> 'quotaParts' @> to_jsonb(part_of[o.consumer]));
  end if;

  if apart <> '{}' or cardinality(open_rows) > 0 or missing > 0 or keyed < jsonb_array_length(keys) or over <> '{}' then
    row_parts := array(select part_of[row_consumers[n]] from generate_series(1, cardinality(amounts)) n order by n);
    -- From here on only few allocations are looked at, so that the other parts do not pay for one that is left out.
    apart := array(
      select unnest(apart)
      union
      select part from crowded_parts(provider_ids, row_providers, class_ids, row_classes, amounts, row_parts, releasing, open_rows)
      union
      -- Existing consumers have no row under the new id.
      select part_of[n] from generate_series(1, cardinality(ids)) n where missing > 0 and not exists (select from consumers c where c.id = ids[n])
      union
      -- A key that has an answer was used before; its part, tried alone, gets that answer.
      select k.place from jsonb_to_recordset(keys) as k(place int, principal text, operation text, key text)
      join idempotency_keys used using (principal, operation, key) where used.answer is not null
      union
      select unnest(over)
      order by 1);
    -- Takes back the parts that are left out, where they were added, and adds the others, where they were not.
    perform take_room(provider_ids, change.row_providers, class_ids, change.row_classes, change.amounts, is_given => true)
    from (
      select array_agg(row_providers[n]) as row_providers, array_agg(row_classes[n]) as row_classes,
             array_agg(case when row_parts[n] = any(apart) then -amounts[n] else amounts[n] end) as amounts
      from generate_series(1, cardinality(amounts)) n
      where (row_parts[n] = any(apart)) <> (n = any(open_rows))
    ) change
    where change.amounts is not null;
    if is_within is not null then
      perform take_quotas(
        project_ids, user_ids, type_ids, owner_of, gone.row_consumers, provider_ids, gone.row_providers, class_ids, gone.row_classes, gone.amounts)
      from (
        select array_agg(row_consumers[n] order by n) as row_consumers, array_agg(row_providers[n] order by n) as row_providers,
               array_agg(row_classes[n] order by n) as row_classes, array_agg(-amounts[n] order by n) as amounts
        from generate_series(1, cardinality(amounts)) n where row_parts[n] = any(apart)
      ) gone
      where gone.amounts is not null;
    end if;
    delete from consumers c where c.id = any(array(select ids[n] from generate_series(1, cardinality(ids)) n where expects[n] is null and part_of[n] = any(apart)));
    if has_keys then
      delete from idempotency_keys k using jsonb_to_recordset(keys) as named(place int, principal text, operation text, key text)
      where named.place = any(apart) and (k.principal, k.operation, k.key) = (named.principal, named.operation, named.key) and k.answer is null;
    end if;
    if cardinality(apart) = jsonb_array_length(request -> 'parts') then
      return case when provider_locks = '{}' and locked <> '{}' then jsonb_build_object('locked', locked) else refusal end;
    end if;
    select coalesce(array_agg(part), '{}'), coalesce(array_agg(provider::int), '{}') into gone_parts, gone_providers
    from unnest(apart) part cross join jsonb_array_elements_text(request #> array['parts', part::text, 'turns']) provider where not has_known;
    claims := array(
      select case when n = any(gone_providers) then uses - (select count(*) from unnest(gone_providers) gone where gone = n) else uses end
      from unnest(claims) with ordinality as _(uses, n) order by n);
    rows := rows_without(apart, part_of, row_consumers, row_providers, row_classes, amounts);
    row_consumers := rows.row_consumers; row_providers := rows.row_providers; row_classes := rows.row_classes; amounts := rows.amounts;
    row_parts := array(select part_of[row_consumers[n]] from generate_series(1, cardinality(amounts)) n order by n);
    provider_ids := array(select case when n = any(row_providers) then id end from unnest(provider_ids) with ordinality as _(id, n) order by n);
    kept_ids := array(select ids[n] from generate_series(1, cardinality(ids)) n where part_of[n] <> all(apart) order by n);
  end if;

  perform hold_allocations(
    ids || previous, owner_of, project_ids, user_ids, type_ids, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts);
  perform mark_used(array_remove(provider_ids, null));
  if has_known then
    if cardinality(released) < cardinality(array_remove(previous, null)) then
      -- All exist. One by one, as in lock_consumers: an update may read all consumers to join them.
      insert into consumers as c (id, uuid, project_id, user_id, consumer_type_id) overriding system value
      select previous[n], uuids[n], project_ids[n], user_ids[n], type_ids[n] from generate_series(1, cardinality(ids)) n
      where previous[n] is not null and previous[n] <> all(released) and part_of[n] <> all(apart)
      on conflict on constraint consumers_pkey do update set
        generation = c.generation + 1, updated_at = now(), project_id = excluded.project_id, user_id = excluded.user_id, consumer_type_id = excluded.consumer_type_id;
    end if;
    if released <> '{}' then
      delete from consumers c where c.id = any(array(
        select previous[n] from generate_series(1, cardinality(ids)) n where previous[n] = any(released) and part_of[n] <> all(apart)));
    end if;
    keeps := array(select part ? 'keepGenerations' from jsonb_array_elements(request -> 'parts') with ordinality as _(part, n) order by n);
    claims := '{}';
    if false = any(keeps) then
      select array_agg(provider_ids[provider]), coalesce(array_agg(uses), '{}') into raised, claims
      from (
        select row_providers[n] as provider, count(distinct row_parts[n]) as uses
        from generate_series(1, cardinality(amounts)) n where not keeps[row_parts[n] + 1] group by 1
      ) used;
    end if;
  end if;

  if 0 <> any(claims) then
    select coalesce(jsonb_object_agg(uuid, provider), '{}') into provider_rows from raise_by(coalesce(raised, provider_ids), claims);
  end if;
  -- Each part as if executed alone, in order: its providers are those after the last part, minus the increments of later parts.
  if has_known then
    known := known_parts(
      request -> 'parts', apart, keeps, uuids, part_of, states, generations, old_projects, provider_ids, row_providers, class_ids, row_classes, row_parts);
    events := known.events; changes := known.changes;
  else
    events := request -> 'parts';
    changes := array(
      select case
               when part.place = any(apart) then null
               -- It keeps the generations of its providers.
               when part.turns = '{}' then jsonb_build_object('consumers', part.changes)
               else jsonb_build_object('consumers', part.changes, 'providers', (
                 -- Two branches, since only a call with simple arguments is inlined.
                 select jsonb_object_agg(part.providers[n], case
                   when part.turns[n] <> all(gone_providers) then generation_change((provider_rows -> part.providers[n] ->> 'generation')::bigint - part.later[n])
                   else generation_change((provider_rows -> part.providers[n] ->> 'generation')::bigint - part.later[n] + (
                     select count(*) from unnest(gone_parts, gone_providers) as gone(place, provider) where gone.place > part.place and gone.provider = part.turns[n]))
                   end)
                 from generate_series(1, cardinality(part.turns)) n)) end
      from jsonb_to_recordset(request -> 'parts') as part(place int, changes jsonb, providers text[], turns int[], later bigint[]) order by part.place);
  end if;
  event_ids := append_events(request ->> 'kind', events, changes);

  result := jsonb_build_object(
    'at', now(), 'apart', apart, 'busy', locked, 'consumerIds', kept_ids, 'eventIds', event_ids, 'providerRows', provider_rows,
    'classIds', (
      select coalesce(jsonb_object_agg(class_names[n], class_ids[n]), '{}') from generate_series(1, cardinality(class_names)) n where n = any(row_classes)));
  if has_known then
    result := jsonb_set(result || jsonb_build_object('createdAts', coalesce(created_ats, '{}')), '{changes}', (
      select jsonb_object_agg(n - 1, change) from unnest(changes) with ordinality as _(change, n) where change is not null));
  end if;
  if expiries is not null then
    result := result || jsonb_build_object('expiries', (
      select jsonb_object_agg(uuid, expiry) from unnest(uuids, expiries) as _(uuid, expiry) where expiry is not null));
  end if;
  if has_keys then
    -- Form 2 (kept-answers.ts): what answersOf needs of a part; no `later`, because its providers have their generations after it. One level deep, because
    -- each level copies all below.
    perform keep_answers(keys, array(
      select case when named.place <> all(apart) then jsonb_build_object(
        'form', 2, 'at', now(), 'classIds', result -> 'classIds', 'eventIds', event_ids[nth:nth],
        'consumerIds', array(select ids[n] from generate_series(1, cardinality(ids)) n where part_of[n] = named.place order by n),
        'providerRows', (
          select jsonb_object_agg(uuid, jsonb_set(provider_rows -> uuid, '{generation}', changes[named.place + 1] #> array['providers', uuid, 'after', 'generation']))
          from jsonb_array_elements_text(part -> 'providers') uuid),
        'changes', part -> 'changes', 'consumers', part -> 'consumers', 'providers', part -> 'providers') end
      from rows from (jsonb_to_recordset(keys) as (place int)) with ordinality as named(place, n)
      cross join lateral (
        select request -> 'parts' -> named.place as part, named.place + 1 - (select count(*)::int from unnest(apart) gone where gone < named.place) as nth
        offset 0
      ) kept
      order by named.n));
  end if;
  return result;
end $$;
