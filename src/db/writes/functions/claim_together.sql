-- Claims new consumers for several requests in one transaction: the same result as one by one, for a fraction of the work.
-- Nothing is released, so if all claims fit together, each also fits after the others.
-- Parts that must be refused are left out, without a reason, and so are those that may have no room beside the others: the caller tries
-- these one by one (`apart`). Refuses as a whole when it would leave out all.
-- Raises no refusals: it runs without the block that would catch them, and undoes what is left out itself (apply_write).
-- Every rule is a step that it shares with the other writer of allocations, write_allocations, which takes objects and also knows what consumers held before.
-- Through that one, new claims would execute 28 % more instructions in the database if alone, 21 % more with 10 in a call, and 18 % with 100.
--
-- request (claim-batch.ts makes it, and the answer of each claim from what this returns). Its lists are columns, which cost half of what
-- objects do; one that names another has indexes into it, from 1:
--   `projects`, `users`, `types`: the names of owners, without duplicates; some have no type.
--   `consumers`, `ownerOf`, `partOf`: all consumers, all new, none twice, each with the place of its part. `expiresIn`: the seconds after which each is released,
--     null for one that lasts; absent if all do.
--   `rowConsumers`, `rowProviders`, `rowClasses`, `amounts`: their allocations.
--   `providers`, `claims`: uuids without duplicates, and the number of parts that use each; `classes`: names without duplicates.
--   `parts`: [{by, consumers, projects, classes, changes, providers, turns, later}], the requests in order, as for append_events.
--     `changes` are those of its consumers; `classes` are all that they hold; `turns` are its providers as indexes, `later` is, for each,
--     the number of later parts that use it.
--   `quotaParts`: the places of the parts that obey the quotas of projects; absent if none does.
--   `keys`: [{place, principal, operation, key, hash, besides}], the idempotency keys of parts, without duplicates.
-- Returns `at`, `consumerIds` and `eventIds` (in the order of `consumers` and `parts`), `providerRows` (by uuid, after the last part) and
-- `classIds`, all without the parts that were left out; `apart`: the places of these; `expiries`, if any expire: the moments by uuid. For a key, the same is stored for its part alone,
-- together with the part.
-- With `patience`, claims on providers that others have locked are left out, too, and `busy` has the uuids of these providers.
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
  ids bigint[] := '{}'; added bigint;
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
  provider_rows jsonb;
  changes jsonb[];
  event_ids bigint[];
  result jsonb;
begin
  select * into project_names, user_names, type_names, uuids, owner_of, part_of, row_consumers, row_providers, row_classes, amounts,
    provider_uuids, claims, class_names
  from jsonb_to_record(request) as _(
    projects text[], users text[], types text[], consumers uuid[], "ownerOf" int[], "partOf" int[],
    "rowConsumers" int[], "rowProviders" int[], "rowClasses" int[], amounts bigint[],
    providers uuid[], claims bigint[], classes text[]);
  owners := owner_ids(project_names, user_names, type_names);
  if owners.unknown is not null then
    return jsonb_build_object('unknownNames', owners.unknown);
  end if;
  provider_ids := array(
    select (select p.id from resource_providers p where p.uuid = provider_uuids[n]) from generate_series(1, cardinality(provider_uuids)) n order by n);
  -- A single claim that must be refused is found before anything is locked or written: it takes no transaction id.
  if jsonb_array_length(request -> 'parts') = 1
     and (exists (select from consumers c where c.uuid = any(uuids)) or not fit_alone(provider_ids, row_providers, class_names, row_classes, amounts)) then
    return refusal;
  end if;
  if has_keys then
    keyed := take_keys(keys);
  end if;
  for n in 1..cardinality(uuids) loop
    ids := ids || nextval('consumers_id_seq');
  end loop;
  kept_ids := ids;
  project_ids := owners.project_ids; user_ids := owners.user_ids; type_ids := owners.type_ids;
  if request ? 'expiresIn' then
    expiries := array(
      select now() + make_interval(secs => seconds::float8) from jsonb_array_elements_text(request -> 'expiresIn') with ordinality as _(seconds, n) order by n);
    request := jsonb_set(request, '{parts}', with_expiries(request -> 'parts', uuids, expiries));
  end if;
  added := create_consumers(ids, uuids, owner_of, project_ids, user_ids, type_ids, expiries => expiries);
  provider_locks := lock_providers(provider_ids, some_suffice => true);
  if cardinality(provider_locks) < cardinality(provider_ids) then
    locked := array(select p.uuid from resource_providers p where p.id = any(provider_ids) and p.id <> all(provider_locks));
    provider_ids := ids_among(provider_ids, provider_locks);
  end if;
  class_ids := class_ids_of(class_names);
  open_rows := take_room(provider_ids, row_providers, class_ids, row_classes, amounts);
  is_within := take_quotas(project_ids, user_ids, type_ids, owner_of, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts);
  if not is_within then
    over := array(
      select distinct part_of[o.consumer]
      from over_quotas(project_ids, user_ids, type_ids, owner_of, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts, cardinality(ids), true) o
      where request -> 'quotaParts' @> to_jsonb(part_of[o.consumer]));
  end if;

  if cardinality(open_rows) > 0 or added < cardinality(ids) or keyed < jsonb_array_length(keys) or over <> '{}' then
    -- From here on only few allocations are looked at, so that the other claims do not pay for one that is left out.
    apart := array(
      select part_of[row_consumers[refused.place]]
      from refused_rows(provider_ids, row_providers, class_ids, row_classes, amounts, open_rows, in_turn => true) refused
      union
      -- Existing consumers have no row under the new id.
      select part_of[n] from generate_series(1, cardinality(ids)) n where added < cardinality(ids) and not exists (select from consumers c where c.id = ids[n])
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
             array_agg(case when part_of[row_consumers[n]] = any(apart) then -amounts[n] else amounts[n] end) as amounts
      from generate_series(1, cardinality(amounts)) n
      where (part_of[row_consumers[n]] = any(apart)) <> (n = any(open_rows))
    ) change
    where change.amounts is not null;
    if is_within is not null then
      perform take_quotas(
        project_ids, user_ids, type_ids, owner_of, gone.row_consumers, provider_ids, gone.row_providers, class_ids, gone.row_classes, gone.amounts)
      from (
        select array_agg(row_consumers[n] order by n) as row_consumers, array_agg(row_providers[n] order by n) as row_providers,
               array_agg(row_classes[n] order by n) as row_classes, array_agg(-amounts[n] order by n) as amounts
        from generate_series(1, cardinality(amounts)) n where part_of[row_consumers[n]] = any(apart)
      ) gone
      where gone.amounts is not null;
    end if;
    delete from consumers c where c.id = any(array(select ids[n] from generate_series(1, cardinality(ids)) n where part_of[n] = any(apart)));
    if has_keys then
      delete from idempotency_keys k using jsonb_to_recordset(keys) as named(place int, principal text, operation text, key text)
      where named.place = any(apart) and (k.principal, k.operation, k.key) = (named.principal, named.operation, named.key) and k.answer is null;
    end if;
    if cardinality(apart) = jsonb_array_length(request -> 'parts') then
      return case when provider_locks = '{}' and locked <> '{}' then jsonb_build_object('locked', locked) else refusal end;
    end if;
    select coalesce(array_agg(part), '{}'), coalesce(array_agg(provider::int), '{}') into gone_parts, gone_providers
    from unnest(apart) part cross join jsonb_array_elements_text(request #> array['parts', part::text, 'turns']) provider;
    claims := array(
      select case when n = any(gone_providers) then uses - (select count(*) from unnest(gone_providers) gone where gone = n) else uses end
      from unnest(claims) with ordinality as _(uses, n) order by n);
    provider_ids := array(select case when claims[n] > 0 then id end from unnest(provider_ids) with ordinality as _(id, n) order by n);
    select array_agg(row_consumers[n] order by n), array_agg(row_providers[n] order by n), array_agg(row_classes[n] order by n),
           array_agg(amounts[n] order by n)
    into row_consumers, row_providers, row_classes, amounts
    from generate_series(1, cardinality(amounts)) n where part_of[row_consumers[n]] <> all(apart);
    kept_ids := array(select ids[n] from generate_series(1, cardinality(ids)) n where part_of[n] <> all(apart) order by n);
  end if;

  perform hold_allocations(
    ids, owner_of, project_ids, user_ids, type_ids, row_consumers, provider_ids, row_providers, class_ids, row_classes, amounts);
  perform mark_used(array_remove(provider_ids, null));

  select jsonb_object_agg(uuid, provider) into provider_rows from raise_by(provider_ids, claims);
  -- Each part as if executed alone, in order: its providers are those after the last part, minus the increments of later parts.
  changes := array(
    select case when part.place <> all(apart) then jsonb_build_object('consumers', part.changes, 'providers', (
           -- Two branches, since only a call with simple arguments is inlined.
           select jsonb_object_agg(part.providers[n], case
             when part.turns[n] <> all(gone_providers) then generation_change((provider_rows -> part.providers[n] ->> 'generation')::bigint - part.later[n])
             else generation_change((provider_rows -> part.providers[n] ->> 'generation')::bigint - part.later[n] + (
               select count(*) from unnest(gone_parts, gone_providers) as gone(place, provider) where gone.place > part.place and gone.provider = part.turns[n]))
             end)
           from generate_series(1, cardinality(part.turns)) n)) end
    from jsonb_to_recordset(request -> 'parts') as part(place int, changes jsonb, providers text[], turns int[], later bigint[]) order by part.place);
  event_ids := append_events(request ->> 'kind', request -> 'parts', changes);

  result := jsonb_build_object(
    'at', now(), 'apart', apart, 'busy', locked, 'consumerIds', kept_ids, 'eventIds', event_ids, 'providerRows', provider_rows,
    'classIds', (
      select jsonb_object_agg(class_names[n], class_ids[n]) from generate_series(1, cardinality(class_names)) n where n = any(row_classes)));
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
