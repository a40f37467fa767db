-- Claims of new consumers by several requests at once, in one transaction: what each would do alone, for a fraction of the work.
-- request: `parts` ([{kind, by, from, to}]), each a request of replace_allocations whose consumers stand in `consumers` at these places
-- (from 1). Every consumer is new (`isNew`), has project and user, holds something, and stands there once. Nothing is released, so if all fit together, each fits after the others: the result is
-- that of the parts one after another. Refuses if any of them must be refused; the caller then tries them one by one.
-- Each part has an event of its own and generations of its own. Returns `answers`, each as replace_allocations gives it.
-- Waits for no lock longer than a moment: the company of a claim whose provider is held must not wait with it.
create or replace function claim_together(request jsonb) returns jsonb language plpgsql set lock_timeout = '250ms' as $$
declare
  consumers jsonb := request -> 'consumers';
  ids bigint[] := add_consumers(consumers);
  written record := write_allocations(consumers, ids, array_fill(true, array[cardinality(ids)]));
  answers jsonb;
begin
  with part as materialized (
    select place, part ->> 'kind' as kind, part -> 'by' as by, (part ->> 'from')::int as first, (part ->> 'to')::int as last,
           nextval(pg_get_serial_sequence('events', 'id')) as event_id
    from jsonb_array_elements(request -> 'parts') with ordinality as _(part, place)
  ),
  member as materialized (
    select part.place, row, c, written.consumers_after -> (row::int - 1) as after
    from jsonb_array_elements(consumers) with ordinality as _(c, row) join part on row between part.first and part.last
  ),
  -- The providers of each part. Each part raises a generation by one, in turn; write_allocations has raised it once for all.
  touched as materialized (
    select place, uuid, p as row, (p ->> 'generation')::bigint + row_number() over in_turn - 1 as generation, count(*) over (partition by uuid) as parts
    from (
      select distinct place, r ->> 'provider' as uuid from member cross join jsonb_array_elements(c -> 'allocations') r
    ) named
    join jsonb_array_elements(written.providers_after) p on p ->> 'uuid' = uuid
    window in_turn as (partition by uuid order by place)
  ),
  raised as (
    update resource_providers p set generation = p.generation + again.parts - 1
    from (select distinct uuid::uuid as uuid, parts from touched where parts > 1) again
    where p.uuid = again.uuid
  ),
  done as materialized (
    select part.place, part.kind, part.by, part.event_id, held.*, given.*
    from part
    cross join lateral (
      select array_agg((c ->> 'uuid')::uuid) as consumer_uuids, array_agg(distinct c ->> 'project') as project_ids,
             jsonb_agg(after order by row) as consumers_after,
             jsonb_object_agg(c ->> 'uuid', written.changes #> array['consumers', c ->> 'uuid']) as consumer_changes
      from member m where m.place = part.place
    ) held
    cross join lateral (
      select array_agg(t.uuid::uuid) as provider_uuids,
             jsonb_agg(t.row || jsonb_build_object('generation', t.generation)) as providers_after,
             jsonb_object_agg(t.uuid, jsonb_build_object(
               'before', jsonb_build_object('generation', t.generation - 1), 'after', jsonb_build_object('generation', t.generation))) as provider_changes
      from touched t where t.place = part.place
    ) given
  ),
  ledger as (
    insert into events (id, kind, user_external_id, project_external_id, roles, request_id, consumer_uuids, provider_uuids, changes)
    overriding system value
    select event_id, kind, by ->> 'user', by ->> 'project', array(select jsonb_array_elements_text(by -> 'roles')), by ->> 'requestId',
           consumer_uuids, provider_uuids, jsonb_build_object('providers', provider_changes, 'consumers', consumer_changes)
    from done
  ),
  subjects as (
    insert into event_subjects (subject, event_id)
    select unnest(consumer_uuids || provider_uuids), event_id from done
    union all
    select md5('project:' || project)::uuid, event_id from done cross join unnest(project_ids) project
  )
  select jsonb_agg(jsonb_build_object(
    'consumers', consumers_after, 'providers', providers_after, 'touched', consumer_uuids, 'eventId', event_id) order by place)
  into answers from done;
  return jsonb_build_object('answers', answers);
end $$;
