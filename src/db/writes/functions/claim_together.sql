-- Claims new consumers for several requests in one transaction: the same result as one by one, for a fraction of the work.
-- Nothing is released, so if all claims fit together, each also fits after the others.
-- Parts that must be refused are left out, without a reason, and so are those that may have no room beside the others: the caller tries
-- these one by one (`apart`). Refuses as a whole when it would leave out all.
--
-- request (claim-batch.ts makes it, and the answer of each claim from what this returns):
--   `consumers`: [{uuid, project, user, type}], all new, none twice.
--   `rows`: [{consumer, provider, resourceClass, amount}], their allocations; `consumer` is an index into `consumers`, from 1.
--   `providers`: [{uuid, claims}], all providers without duplicates, with the number of parts that use each.
--   `parts`: [{place, by, first, consumers, projects, classes, changes, providers, later}], the requests in order, as for append_events.
--     `changes` are those of its consumers, the first of which is at index `first` of `consumers`; `classes` are all that they hold;
--     `later` is, for each provider, the number of later parts that use it.
--   `keys`: [{place, principal, operation, key, hash, besides}], the idempotency keys of parts, without duplicates.
-- Returns `at`, `consumerIds` and `eventIds` (in the order of `consumers` and `parts`), `providerRows` (by uuid, after the last part) and
-- `classIds`, all without the parts that were left out; `apart`: the places of these. For a key, the same is stored for its part alone,
-- with `part`.
-- With `patience`, claims on providers that others have locked are left out, too, and `busy` has the uuids of these providers.
create or replace function claim_together(request jsonb) returns jsonb language plpgsql as $$
declare
  added record;
  ids bigint[];
  provider_ids bigint[];
  claims bigint[];
  -- The new allocations, one element each.
  consumers bigint[]; providers bigint[]; classes int[]; amounts bigint[];
  -- The inventories with room for all that is wanted of them, and how many of the new allocations are theirs.
  roomy_providers bigint[]; roomy_classes int[]; fitting bigint;
  keyed bigint := 0;
  apart int[] := '{}';
  left_out bigint[];
  locked uuid[] := '{}';
  provider_rows jsonb;
  changes jsonb[];
  event_ids bigint[];
  answer jsonb;
begin
  if jsonb_array_length(request -> 'keys') > 0 then
    insert into idempotency_keys (principal, operation, key, input_hash)
    select k.principal, k.operation, k.key, k.hash
    from jsonb_to_recordset(request -> 'keys') as k(principal text, operation text, key text, hash text)
    order by 1, 2, 3
    on conflict do nothing;
    get diagnostics keyed = row_count;
  end if;
  added := add_consumers(request -> 'consumers');
  ids := added.ids;
  if request ? 'patience' then
    select array_agg(free.id), array_agg(free.claims) into provider_ids, claims
    from (
      select p.id, named.claims
      from jsonb_to_recordset(request -> 'providers') as named(uuid uuid, claims bigint) join resource_providers p using (uuid)
      order by p.id for no key update of p skip locked
    ) free;
    if coalesce(cardinality(provider_ids), 0) < jsonb_array_length(request -> 'providers') then
      locked := array(
        select p.uuid from jsonb_to_recordset(request -> 'providers') as named(uuid uuid) join resource_providers p using (uuid)
        where provider_ids is null or p.id <> all(provider_ids));
      if provider_ids is null then
        perform blocked_by(locked);
      end if;
    end if;
  else
    select array_agg(free.id), array_agg(free.claims) into provider_ids, claims
    from (
      select p.id, named.claims
      from jsonb_to_recordset(request -> 'providers') as named(uuid uuid, claims bigint) join resource_providers p using (uuid)
      order by p.id for no key update of p
    ) free;
  end if;

  -- The capacity rule of write_allocations, for claims that release nothing. Rows that violate unit constraints, or whose provider,
  -- class or inventory does not exist, are missing from `wanted`; those of an inventory without room for all of them from `roomy`.
  with wanted as materialized (
    select ids[r.consumer] as consumer, i.resource_provider_id as provider, i.resource_class_id as class, r.amount
    from jsonb_to_recordset(request -> 'rows') as r(consumer int, provider uuid, "resourceClass" text, amount bigint)
    join resource_providers p on p.uuid = r.provider
    join resource_classes c on c.name = r."resourceClass"
    join inventories i on i.resource_provider_id = p.id and i.resource_class_id = c.id
    where obeys_units(r.amount, i.min_unit, i.max_unit, i.step_size) and p.uuid <> all(locked)
  ),
  used as (
    update inventories i set used = i.used + asked.amount
    from (select provider, class, sum(amount)::bigint as amount, count(*) as rows from wanted group by provider, class) asked
    where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class and i.used + asked.amount <= i.capacity
    returning asked.provider, asked.class, asked.rows
  ),
  roomy as (select array_agg(provider) as providers, array_agg(class) as classes, sum(rows) as rows from used)
  select w.*, roomy.* into consumers, providers, classes, amounts, roomy_providers, roomy_classes, fitting
  from (select array_agg(consumer), array_agg(provider), array_agg(class), array_agg(amount) from wanted) w cross join roomy;

  if fitting is distinct from jsonb_array_length(request -> 'rows') or added.added < cardinality(ids) or keyed < jsonb_array_length(request -> 'keys') then
    apart := claims_to_try_alone(request, ids, locked, roomy_providers, roomy_classes);
    if cardinality(apart) = jsonb_array_length(request -> 'parts') then
      perform refuse('CAPACITY_EXCEEDED', '{}');
    end if;
    left_out := array(
      select ids[n] from jsonb_to_recordset(request -> 'parts') as part(place int, first int, consumers jsonb)
      cross join generate_series(part.first + 1, part.first + jsonb_array_length(part.consumers)) n where part.place = any(apart));
    -- What is left out is taken back where there was room for all; elsewhere nothing was added yet.
    update inventories i set used = i.used + change.amount
    from (
      select w.provider, w.class, sum(case when w.is_out then -w.amount else w.amount end) as amount
      from (
        select *, consumer = any(left_out) as is_out, (provider, class) in (select * from unnest(roomy_providers, roomy_classes)) as had_room
        from unnest(consumers, providers, classes, amounts) as _(consumer, provider, class, amount)
      ) w
      where w.is_out = w.had_room group by w.provider, w.class
    ) change
    where i.resource_provider_id = change.provider and i.resource_class_id = change.class;
    delete from consumers c where c.id = any(left_out);
    delete from idempotency_keys k using jsonb_to_recordset(request -> 'keys') as named(place int, principal text, operation text, key text)
    where named.place = any(apart) and (k.principal, k.operation, k.key) = (named.principal, named.operation, named.key) and k.answer is null;
    request := without_claims(request, apart);
    select array_agg(w.consumer), array_agg(w.provider), array_agg(w.class), array_agg(w.amount) into consumers, providers, classes, amounts
    from unnest(consumers, providers, classes, amounts) as w(consumer, provider, class, amount) where w.consumer <> all(left_out);
    ids := array(select id from unnest(ids) with ordinality as given(id, n) where id <> all(left_out) order by n);
    select array_agg(p.id), array_agg(named.claims) into provider_ids, claims
    from jsonb_to_recordset(request -> 'providers') as named(uuid uuid, claims bigint) join resource_providers p using (uuid);
  end if;

  insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
  select * from unnest(consumers, providers, classes, amounts);
  perform mark_used(provider_ids);

  select jsonb_object_agg(uuid, provider) into provider_rows from raise_by(provider_ids, claims);
  -- Each part as if executed alone, in order: its providers are those after the last part, minus the increments of later parts.
  select array_agg(jsonb_build_object('consumers', part.changes, 'providers', (
           select jsonb_object_agg(uuid, generation_change((provider_rows #>> array[uuid, 'generation'])::bigint - later))
           from unnest(part.providers, part.later) as named(uuid, later))) order by part.place)
  into changes
  from jsonb_to_recordset(request -> 'parts') as part(place int, changes jsonb, providers text[], later bigint[]);
  event_ids := append_events(request ->> 'kind', request -> 'parts', changes);

  answer := jsonb_build_object(
    'at', now(), 'apart', apart, 'busy', locked, 'consumerIds', ids, 'eventIds', event_ids, 'providerRows', provider_rows,
    'classIds', (select jsonb_object_agg(rc.name, rc.id) from resource_classes rc where rc.id = any(classes)));
  if jsonb_array_length(request -> 'keys') > 0 then
    perform keep_answer(k, (answer - '{apart,busy}'::text[]) || jsonb_build_object(
      'consumerIds', ids[first + 1:first + jsonb_array_length(part -> 'consumers')], 'eventIds', event_ids[place + 1:place + 1],
      'providerRows', (select jsonb_object_agg(uuid, provider_rows -> uuid) from jsonb_array_elements_text(part -> 'providers') uuid),
      'part', part - 'by'))
    from jsonb_array_elements(request -> 'keys') k
    cross join lateral (select (k ->> 'place')::int as place) _
    cross join lateral (select request #> array['parts', place::text] as part) __
    cross join lateral (select (part ->> 'first')::int as first) ___;
  end if;
  return answer;
end $$;
