-- Claims of new consumers by several requests at once, in one transaction: what each would do alone, for a fraction of the work.
-- Nothing is released, so if all fit together, each fits after the others: the result is that of the requests one after another.
-- Refuses, without saying whom and why, if any of them must be refused: the caller then tries them one by one.
--
-- request (claim-batch.ts makes it):
--   `consumers`: [{uuid, project, user, type}], all new, none twice.
--   `rows`: [{consumer, provider, resourceClass, amount}], what they shall hold; `consumer` is a place in `consumers`, from 1.
--   `providers`: [{uuid, claims}], all providers, each once, with the number of parts that name it.
--   `parts`: [{place, by, first, consumers, projects, classes, changes, providers: [{uuid, later}]}], each request in its turn. `changes` are those of
--     its consumers, of which the first stands at `first` in `consumers`; `classes` are all that they hold; `later`: how many parts after this one name the provider.
--   `keys`: [{place, principal, operation, key, hash, besides}], the idempotency keys of parts, none twice.
-- Returns `answers`: what replace_allocations answers, for each part in the order of `parts`.
-- Waits for no lock longer than a moment: the company of a claim whose provider is held must not wait with it.
create or replace function claim_together(request jsonb) returns jsonb language plpgsql set lock_timeout = '250ms' as $$
declare
  ids bigint[];
  provider_ids bigint[];
  steps bigint[];
  -- What shall be held: one element for each allocation.
  consumers bigint[]; providers bigint[]; classes int[]; amounts bigint[];
  fitting bigint;
  keyed bigint;
  provider_rows jsonb;
  written jsonb;
  known_classes jsonb;
  answers jsonb;
begin
  if jsonb_array_length(request -> 'keys') > 0 then
    insert into idempotency_keys (principal, operation, key, input_hash)
    select k.principal, k.operation, k.key, k.hash
    from jsonb_to_recordset(request -> 'keys') as k(principal text, operation text, key text, hash text)
    order by 1, 2, 3
    on conflict do nothing;
    get diagnostics keyed = row_count;
    if keyed < jsonb_array_length(request -> 'keys') then
      -- Somebody had the key first: alone, this part gets that one's answer.
      perform refuse('IDEMPOTENCY_KEY_REUSED', '{}');
    end if;
  end if;
  ids := add_consumers(request -> 'consumers');
  select array_agg(id), array_agg(claims) into provider_ids, steps
  from (
    select p.id, named.claims
    from jsonb_to_recordset(request -> 'providers') as named(uuid uuid, claims bigint) join resource_providers p using (uuid)
    order by p.id for no key update of p
  ) locked;

  -- The capacity rule of write_allocations, for claims that release nothing. Rows that break a rule of units, or whose provider, class
  -- or inventory is not there, are missing from `wanted`; those of an inventory without room for all of them, from `fitting`.
  with wanted as materialized (
    select ids[r.consumer] as consumer, i.resource_provider_id as provider, i.resource_class_id as class, r.amount
    from jsonb_to_recordset(request -> 'rows') as r(consumer int, provider uuid, "resourceClass" text, amount bigint)
    join resource_providers p on p.uuid = r.provider
    join resource_classes c on c.name = r."resourceClass"
    join inventories i on i.resource_provider_id = p.id and i.resource_class_id = c.id
    where obeys_units(r.amount, i.min_unit, i.max_unit, i.step_size)
  ),
  used as (
    update inventories i set used = i.used + asked.amount
    from (select provider, class, sum(amount)::bigint as amount, count(*) as rows from wanted group by provider, class) asked
    where i.resource_provider_id = asked.provider and i.resource_class_id = asked.class and i.used + asked.amount <= i.capacity
    returning asked.rows
  )
  select array_agg(consumer), array_agg(provider), array_agg(class), array_agg(amount), (select sum(rows) from used)
  into consumers, providers, classes, amounts, fitting
  from wanted;
  if fitting is distinct from jsonb_array_length(request -> 'rows') then
    perform refuse('CAPACITY_EXCEEDED', '{}');
  end if;

  insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
  select * from unnest(consumers, providers, classes, amounts);
  perform mark_used(provider_ids);
  select jsonb_object_agg(row ->> 'uuid', row) into provider_rows from jsonb_array_elements(raise_generations_by(provider_ids, steps) -> 'rows') row;
  select jsonb_object_agg(rc.name, rc.id) into known_classes from resource_classes rc where rc.id = any(classes);

  -- Each part as if it were alone, and in its turn: its providers are those after the last part, but for what later ones raise.
  select jsonb_agg(jsonb_build_object(
           'place', part.place, 'id', part.event_id, 'by', part.by, 'classes', part.classes, 'consumers', part.consumers, 'providers', its.uuids, 'projects', part.projects,
           'changes', jsonb_build_object('providers', its.changes, 'consumers', part.changes))),
         jsonb_agg(jsonb_build_object(
           'consumers', (
             select jsonb_agg(consumer_row(ids[part.first + nth], uuid, now(), part.changes #> array[uuid::text, 'after']) order by nth)
             from unnest(part.consumers) with ordinality as _(uuid, nth)),
           'providers', its.rows, 'classIds', known_classes, 'touched', part.consumers, 'eventId', part.event_id) order by part.place)
  into written, answers
  from (
    select given.*, nextval('events_id_seq') as event_id
    from jsonb_to_recordset(request -> 'parts')
      as given(place int, by jsonb, first int, consumers uuid[], projects text[], classes jsonb, changes jsonb, providers jsonb)
  ) part
  cross join lateral (
    select jsonb_agg(uuid) as uuids,
           jsonb_agg(provider_rows -> uuid || jsonb_build_object('generation', generation) order by (provider_rows #>> array[uuid, 'id'])::bigint) as rows,
           jsonb_object_agg(uuid, jsonb_build_object(
             'before', jsonb_build_object('generation', generation - 1), 'after', jsonb_build_object('generation', generation))) as changes
    from (
      select uuid, (provider_rows #>> array[uuid, 'generation'])::bigint - later as generation
      from jsonb_to_recordset(part.providers) as named(uuid text, later bigint)
    ) named
  ) its;
  perform append_events(request ->> 'kind', written);
  if keyed > 0 then
    perform keep_answer(k, answers -> (k ->> 'place')::int) from jsonb_array_elements(request -> 'keys') k;
  end if;
  return jsonb_build_object('answers', answers);
end $$;
