-- Claims of new consumers by several requests at once, in one transaction: what each would do alone, for a fraction of the work.
-- Nothing is released, so if all fit together, each fits after the others: the result is that of the requests one after another.
-- Refuses, without saying whom and why, if any of them must be refused: the caller then tries them one by one.
--
-- request (claim-batch.ts makes it):
--   `consumers`: [{uuid, project, user, type}], all new, none twice.
--   `rows`: [{consumer, provider, resourceClass, amount}], what they shall hold; `consumer` is a place in `consumers`, from 1.
--   `providers`: [{uuid, claims}], all providers, each once, with the number of parts that name it.
--   `parts`: [{place, by, consumers, projects, changes, providers: [{uuid, turn}]}], the event of each request but for the
--     generations: each part raises those of its providers by one, in turn. `changes` are those of its consumers.
-- Returns `at`, `consumerIds`, `eventIds` (in the order of `consumers` and `parts`) and `providers`, as they are after the last part.
-- Waits for no lock longer than a moment: the company of a claim whose provider is held must not wait with it.
create or replace function claim_together(request jsonb) returns jsonb language plpgsql set lock_timeout = '250ms' as $$
declare
  ids bigint[] := add_consumers(request -> 'consumers');
  generations jsonb;
  -- What shall be held: one element for each allocation.
  consumers bigint[]; providers bigint[]; classes int[]; amounts bigint[];
  fitting bigint;
  answer jsonb;
begin
  -- A row that was waited for is read anew when its lock is granted: these are the generations of now. Anything else is read later.
  select jsonb_object_agg(uuid, generation) into generations
  from (
    select p.uuid, p.generation
    from jsonb_to_recordset(request -> 'providers') as named(uuid uuid) join resource_providers p using (uuid)
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

  with held as (
    insert into allocations (consumer_id, resource_provider_id, resource_class_id, used)
    select * from unnest(consumers, providers, classes, amounts)
  ),
  raised as (
    update resource_providers p set generation = p.generation + named.claims, updated_at = now()
    from jsonb_to_recordset(request -> 'providers') as named(uuid uuid, claims bigint)
    where p.uuid = named.uuid
    returning p.id, provider_row(p) as row
  ),
  -- As mark_used.
  marked as (
    insert into provider_changes (xid, resource_provider_id, use_only) select pg_current_xact_id(), id, true from raised on conflict do nothing
  ),
  part as materialized (
    select part.*, given.*, nextval('events_id_seq') as event_id
    from jsonb_to_recordset(request -> 'parts')
      as part(place int, by jsonb, consumers uuid[], projects text[], changes jsonb, providers jsonb)
    cross join lateral (
      select array_agg(uuid::uuid) as provider_uuids, jsonb_object_agg(uuid, jsonb_build_object(
        'before', jsonb_build_object('generation', generation - 1), 'after', jsonb_build_object('generation', generation))) as provider_changes
      from (
        select uuid, (generations ->> uuid)::bigint + turn as generation
        from jsonb_to_recordset(part.providers) as its(uuid text, turn bigint)
      ) touched
    ) given
  ),
  ledger as (
    insert into events
      (id, kind, user_external_id, project_external_id, roles, request_id, global_request_id, consumer_uuids, provider_uuids, changes)
    overriding system value
    select event_id, request ->> 'kind', by ->> 'user', by ->> 'project', array(select jsonb_array_elements_text(by -> 'roles')), by ->> 'requestId',
           by ->> 'globalRequestId', part.consumers, provider_uuids, jsonb_build_object('providers', provider_changes, 'consumers', part.changes)
    from part
  ),
  subjects as (
    insert into event_subjects (subject, event_id)
    select unnest(part.consumers || provider_uuids), event_id from part
    union
    select md5('project:' || project)::uuid, event_id from part cross join unnest(part.projects) project
    union
    select class_subject(class), event_id from part
    cross join unnest(changed_classes(jsonb_build_object('consumers', part.changes))) class where class_subject(class) is not null
  )
  select jsonb_build_object(
    'at', now(), 'consumerIds', ids, 'eventIds', (select jsonb_agg(event_id order by place) from part),
    'providers', (select jsonb_agg(row) from raised))
  into answer;
  return answer;
end $$;
