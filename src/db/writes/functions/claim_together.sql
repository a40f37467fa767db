-- Claims new consumers for several requests in one transaction: the same result as one by one, for a fraction of the work.
-- Nothing is released, so if all claims fit together, each also fits after the others.
-- Parts that must be refused are left out, without a reason, and so are those that may have no room beside the others: the caller tries
-- these one by one (`apart`). Refuses as a whole when it would leave out all.
-- Raises no refusals: it runs without the block that would catch them, and undoes what is left out itself (apply_write).
--
-- request (claim-batch.ts makes it, and the answer of each claim from what this returns). Its lists are columns, which cost half of what
-- objects do; one that names another has indexes into it, from 1:
--   `projects`, `users`, `types`: names without duplicates.
--   `consumers`, `projectOf`, `userOf`, `typeOf`, `partOf`: all consumers, all new, none twice, each with the place of its part; some have no type.
--   `rowConsumers`, `rowProviders`, `rowClasses`, `amounts`: their allocations.
--   `providers`, `claims`: uuids without duplicates, and the number of parts that use each; `classes`: names without duplicates.
--   `usages`: [{project, user, type, class, amount}]: what they hold together, as rows of project_usages with indexes. Older gateways do not send it.
--   `parts`: [{by, consumers, projects, classes, changes, providers, turns, later}], the requests in order, as for append_events.
--     `changes` are those of its consumers; `classes` are all that they hold; `turns` are its providers as indexes, `later` is, for each,
--     the number of later parts that use it.
--   `keys`: [{place, principal, operation, key, hash, besides}], the idempotency keys of parts, without duplicates.
-- Returns `at`, `consumerIds` and `eventIds` (in the order of `consumers` and `parts`), `providerRows` (by uuid, after the last part) and
-- `classIds`, all without the parts that were left out; `apart`: the places of these. For a key, the same is stored for its part alone,
-- together with the part.
-- With `patience`, claims on providers that others have locked are left out, too, and `busy` has the uuids of these providers.
create or replace function claim_together(request jsonb) returns jsonb language plpgsql as $$
declare
  project_names text[]; user_names text[]; type_names text[];
  uuids uuid[]; project_of int[]; user_of int[]; type_of int[]; part_of int[];
  row_consumers int[]; row_providers int[]; row_classes int[]; amounts bigint[];
  provider_uuids uuid[]; claims bigint[]; class_names text[];
  project_ids bigint[]; user_ids bigint[]; type_ids bigint[];
  refusal constant jsonb := '{"refusal": {"code": "CAPACITY_EXCEEDED", "details": {}}}';
  ids bigint[] := '{}'; added bigint;
  keyed bigint := 0;
  has_keys boolean := jsonb_array_length(request -> 'keys') > 0;
  -- One element for each of the given providers, null for those that are locked or do not exist.
  provider_ids bigint[];
  locked uuid[] := '{}';
  class_ids int[];
  -- The inventories with room for all that is wanted of them, and how many of the new allocations are theirs.
  roomy_providers bigint[]; roomy_classes int[]; fitting bigint;
  apart int[] := '{}';
  kept_ids bigint[];
  -- Only when some are apart: the allocations that were not added, as indexes; the inventory of each, none where it is refused whatever others
  -- claim; the classes of those that are written; and what was left out, one element for each provider of each part.
  open_rows int[] := '{}'; open_providers bigint[] := '{}'; open_classes int[] := '{}';
  classes_held int[];
  gone_parts int[] := '{}'; gone_providers int[] := '{}';
  provider_rows jsonb;
  changes jsonb[];
  event_ids bigint[];
  result jsonb;
begin
  select * into project_names, user_names, type_names, uuids, project_of, user_of, type_of, part_of, row_consumers, row_providers, row_classes, amounts,
    provider_uuids, claims, class_names
  from jsonb_to_record(request) as _(
    projects text[], users text[], types text[], consumers uuid[], "projectOf" int[], "userOf" int[], "typeOf" int[], "partOf" int[],
    "rowConsumers" int[], "rowProviders" int[], "rowClasses" int[], amounts bigint[],
    providers uuid[], claims bigint[], classes text[]);
  select array(select (select p.id from projects p where p.external_id = project_names[n]) from generate_series(1, cardinality(project_names)) n order by n),
         array(select (select u.id from users u where u.external_id = user_names[n]) from generate_series(1, cardinality(user_names)) n order by n),
         array(select (select t.id from consumer_types t where t.name = type_names[n]) from generate_series(1, cardinality(type_names)) n order by n)
  into project_ids, user_ids, type_ids;
  if array_position(project_ids, null) is not null or array_position(user_ids, null) is not null
     or array_position(type_ids, null) is not null then
    return jsonb_build_object('unknownNames', jsonb_build_object('projects', project_names, 'users', user_names, 'types', type_names));
  end if;
  -- A single claim that must be refused is found before anything is locked or written: it takes no transaction id.
  if jsonb_array_length(request -> 'parts') = 1 and (
    exists (select from consumers c where c.uuid = any(uuids)) or exists (
      select from generate_series(1, cardinality(amounts)) n where not exists (
        select from inventories i
        where i.resource_provider_id = (select p.id from resource_providers p where p.uuid = provider_uuids[row_providers[n]])
          and i.resource_class_id = (select c.id from resource_classes c where c.name = class_names[row_classes[n]])
          and obeys_units(amounts[n], i.min_unit, i.max_unit, i.step_size) and i.used + amounts[n] <= i.capacity))) then
    return refusal;
  end if;
  if has_keys then
    insert into idempotency_keys (principal, operation, key, input_hash)
    select k.principal, k.operation, k.key, k.hash
    from jsonb_to_recordset(request -> 'keys') as k(principal text, operation text, key text, hash text)
    order by 1, 2, 3
    on conflict do nothing;
    get diagnostics keyed = row_count;
  end if;
  for n in 1..cardinality(uuids) loop
    ids := ids || nextval('consumers_id_seq');
  end loop;
  kept_ids := ids;
  -- In the order in which every write creates consumers (lock_consumers). An id of one that exists already belongs to no row.
  -- Indexes rather than unnest, here and in whatever is executed for each claim: each array of an unnest is spooled on its own.
  insert into consumers (id, uuid, project_id, user_id, consumer_type_id) overriding system value
  select ids[n], uuids[n], project_ids[project_of[n]], user_ids[user_of[n]], type_ids[type_of[n]] from generate_series(1, cardinality(uuids)) n
  order by uuids[n]
  on conflict do nothing;
  get diagnostics added = row_count;
  if request ? 'patience' then
    select array_agg(held.id order by n) into provider_ids
    from (
      select p.id, named.n
      from unnest(provider_uuids) with ordinality as named(uuid, n) join resource_providers p using (uuid)
      order by p.id for no key update of p skip locked
    ) held;
  else
    select array_agg(held.id order by n) into provider_ids
    from (
      select p.id, named.n
      from unnest(provider_uuids) with ordinality as named(uuid, n) join resource_providers p using (uuid)
      order by p.id for no key update of p
    ) held;
  end if;
  if coalesce(cardinality(provider_ids), 0) < cardinality(provider_uuids) then
    if request ? 'patience' then
      locked := array(select p.uuid from resource_providers p where p.uuid = any(provider_uuids) and (provider_ids is null or p.id <> all(provider_ids)));
      if provider_ids is null and cardinality(locked) > 0 then
        delete from consumers c where c.id = any(ids);
        if has_keys then
          delete from idempotency_keys k using jsonb_to_recordset(request -> 'keys') as named(principal text, operation text, key text)
          where (k.principal, k.operation, k.key) = (named.principal, named.operation, named.key) and k.answer is null;
        end if;
        return jsonb_build_object('locked', locked);
      end if;
    end if;
    select array_agg(p.id order by n) into provider_ids
    from unnest(provider_uuids) with ordinality as named(uuid, n)
    left join resource_providers p on p.uuid = named.uuid and p.id = any(provider_ids);
  end if;

  -- Names of classes are read only now: no class that these providers have can be renamed any more.
  class_ids := array(select (select c.id from resource_classes c where c.name = class_names[n]) from generate_series(1, cardinality(class_names)) n order by n);
  -- The capacity rule of write_allocations, for claims that release nothing. Rows whose provider, class or inventory does not exist are missing
  -- from `asked`; those of an inventory without room for all of them, or one of which violates its unit constraints, from `used`.
  with used as (
    -- Setting a column from which `capacity` is computed makes Postgres prepare that computation once, and not again for each row.
    update inventories i set used = i.used + asked.amount, total = i.total
    from (
      select i.resource_provider_id as provider, i.resource_class_id as class, sum(amounts[n])::bigint as amount, count(*) as rows,
             bool_and(obeys_units(amounts[n], i.min_unit, i.max_unit, i.step_size)) as obeys
      from generate_series(1, cardinality(amounts)) n
      join inventories i on i.resource_provider_id = provider_ids[row_providers[n]] and i.resource_class_id = class_ids[row_classes[n]]
      group by 1, 2
    ) asked
    where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class and asked.obeys and i.used + asked.amount <= i.capacity
    returning asked.provider, asked.class, asked.rows
  )
  select array_agg(provider), array_agg(class), sum(rows) into roomy_providers, roomy_classes, fitting from used;

  if fitting is distinct from cardinality(amounts) or added < cardinality(ids) or keyed < jsonb_array_length(request -> 'keys') then
    -- From here on only few allocations are looked at, so that the other claims do not pay for one that is left out.
    select coalesce(array_agg(n order by n), '{}'), coalesce(array_agg(i.resource_provider_id order by n), '{}'),
           coalesce(array_agg(i.resource_class_id order by n), '{}')
    into open_rows, open_providers, open_classes
    from (
      select n from generate_series(1, cardinality(amounts)) n
      where ((provider_ids[row_providers[n]], class_ids[row_classes[n]]) in (select * from unnest(roomy_providers, roomy_classes))) is not true
      offset 0
    ) not_added
    left join inventories i on i.resource_provider_id = provider_ids[row_providers[n]] and i.resource_class_id = class_ids[row_classes[n]]
      and obeys_units(amounts[n], i.min_unit, i.max_unit, i.step_size);
    apart := parts_to_try_alone(
      ids, part_of, added = cardinality(ids), array(select row_consumers[n] from unnest(open_rows) with ordinality as _(n, place) order by place),
      open_providers, open_classes, array(select amounts[n] from unnest(open_rows) with ordinality as _(n, place) order by place), request -> 'keys');
    -- Takes back the parts that are left out, where they were added, and adds the others, where they were not.
    update inventories i set used = i.used + change.amount, total = i.total
    from (
      select provider_ids[row_providers[n]] as provider, class_ids[row_classes[n]] as class,
             sum(case when part_of[row_consumers[n]] = any(apart) then -amounts[n] else amounts[n] end) as amount
      from generate_series(1, cardinality(amounts)) n
      where (part_of[row_consumers[n]] = any(apart)) <> (n = any(open_rows))
      group by 1, 2
    ) change
    where i.resource_provider_id = change.provider and i.resource_class_id = change.class;
    delete from consumers c where c.id = any(array(select ids[n] from unnest(part_of) with ordinality as _(part, n) where part = any(apart)));
    if has_keys then
      delete from idempotency_keys k using jsonb_to_recordset(request -> 'keys') as named(place int, principal text, operation text, key text)
      where named.place = any(apart) and (k.principal, k.operation, k.key) = (named.principal, named.operation, named.key) and k.answer is null;
    end if;
    if cardinality(apart) = jsonb_array_length(request -> 'parts') then
      return refusal;
    end if;
    select coalesce(array_agg(part), '{}'), coalesce(array_agg(provider::int), '{}') into gone_parts, gone_providers
    from unnest(apart) part cross join jsonb_array_elements_text(request #> array['parts', part::text, 'turns']) provider;
    claims := array(
      select case when n = any(gone_providers) then uses - (select count(*) from unnest(gone_providers) gone where gone = n) else uses end
      from unnest(claims) with ordinality as _(uses, n) order by n);
    provider_ids := array(select case when claims[n] > 0 then id end from unnest(provider_ids) with ordinality as _(id, n) order by n);
    classes_held := array(
      select class_ids[row_classes[n]] from generate_series(1, cardinality(amounts)) n where part_of[row_consumers[n]] <> all(apart));
    kept_ids := array(select ids[n] from unnest(part_of) with ordinality as _(part, n) where part <> all(apart) order by n);
  end if;

  insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
  select ids[row_consumers[n]], provider_ids[row_providers[n]], class_ids[row_classes[n]], amounts[n] from generate_series(1, cardinality(amounts)) n
  where part_of[row_consumers[n]] <> all(apart);
  -- The sums of the request are right if no part is left out; computing them here takes longer. Older gateways do not send them.
  if apart = '{}' and request ? 'usages' then
    insert into project_usages (project_id, user_id, consumer_type_id, resource_class_id, amount)
    select project_ids[u.project], user_ids[u."user"], type_ids[u.type], class_ids[u.class], u.amount
    from jsonb_to_recordset(request -> 'usages') as u(project int, "user" int, type int, class int, amount bigint);
  else
    insert into project_usages (project_id, user_id, consumer_type_id, resource_class_id, amount)
    select project_ids[project_of[c]], user_ids[user_of[c]], type_ids[type_of[c]], class, sum(amount)
    from (
      select row_consumers[n] as c, class_ids[row_classes[n]] as class, amounts[n] as amount from generate_series(1, cardinality(amounts)) n
      union all
      select c, null, 1 from generate_series(1, cardinality(uuids)) c
    ) held
    where part_of[c] <> all(apart)
    group by 1, 2, 3, 4;
  end if;
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
      select jsonb_object_agg(class_names[n], class_ids[n]) from generate_series(1, cardinality(class_names)) n
      where classes_held is null or class_ids[n] = any(classes_held)));
  if has_keys then
    -- Form 2 (kept-answers.ts): what answersOf needs of a part; no `later`, because its providers have their generations after it. One level deep, because each level copies all below.
    update idempotency_keys k
    set answer = jsonb_build_object(
      'form', 2, 'at', now(), 'classIds', result -> 'classIds', 'eventIds', event_ids[kept.nth:kept.nth],
      'consumerIds', array(select ids[n] from generate_series(1, cardinality(ids)) n where part_of[n] = kept.place order by n),
      'providerRows', (
        select jsonb_object_agg(uuid, jsonb_set(provider_rows -> uuid, '{generation}', changes[kept.place + 1] #> array['providers', uuid, 'after', 'generation']))
        from jsonb_array_elements_text(kept.part -> 'providers') uuid),
      'changes', kept.part -> 'changes', 'consumers', kept.part -> 'consumers', 'providers', kept.part -> 'providers', 'besides', kept.besides)
    from (
      select named.*, request -> 'parts' -> named.place as part, named.place + 1 - (select count(*)::int from unnest(apart) gone where gone < named.place) as nth
      from jsonb_to_recordset(request -> 'keys') as named(place int, principal text, operation text, key text, besides jsonb)
      where named.place <> all(apart)
      offset 0
    ) kept
    where k.principal = kept.principal and k.operation = kept.operation and k.key = kept.key;
  end if;
  return result;
end $$;
