-- Locks, against changes and in the order of ids, the reservations from which consumers claim: the one that is named, or that of the consumer from which it takes
-- over, or else the one from which it claims already. All that claim from one expire with it at the latest. It must be of the project of the consumer, and
-- one that is named anew must run. Consumers that are released need none. Step of lock_consumers, between the consumers that exist and the new ones.
-- Refuses NOT_FOUND, INVALID_INPUT. An import may come after the end of a reservation: then the consumer has none, and has expired. Nor has one that an import gives to
-- another project.
-- Parameters are as in lock_consumers; `expiries` are those that the consumers would have otherwise.
create or replace function lock_reservations(
  consumers jsonb, ids bigint[], projects bigint[], inout expiries timestamptz[], old_reservations bigint[], sources int[], only_checked boolean, imported boolean,
  out reservations bigint[]
) language plpgsql as $$
declare
  named text[]; needed boolean[];
  known jsonb;
  own jsonb;
  reason text;
  reasons jsonb := '[]';
begin
  select array_agg((e ->> 'reservation')::uuid::text order by place), array_agg(
           e ? 'takeFrom' or jsonb_array_length(e -> 'allocations') > 0 or e ? 'expiresIn' or e ? 'expiresAt' order by place)
  into named, needed from jsonb_array_elements(consumers) with ordinality as _(e, place);
  reservations := array(
    select case when needed[n] then coalesce((select r.id from reservations r where r.uuid = named[n]::uuid), old_reservations[coalesce(sources[n], n)]) end
    from generate_series(1, cardinality(ids)) n order by n);
  if not only_checked then
    perform from reservations r where r.id = any(reservations) order by r.id for share;
  end if;
  known := (
    select jsonb_object_agg(r.id, jsonb_build_object('uuid', r.uuid, 'project', r.project_id, 'startsAt', r.starts_at, 'endsAt', r.ends_at))
    from reservations r where r.id = any(reservations));
  for n in 1..cardinality(ids) loop
    own := known -> reservations[n]::text;
    if needed[n] and not imported and named[n] is distinct from own ->> 'uuid' and (named[n] is not null or own is null and reservations[n] is not null) then
      perform refuse('NOT_FOUND', jsonb_build_object('noun', 'reservation', 'key', named[n]));
    end if;
    -- Another service may have given the consumer to another project, of which the reservation is not.
    if imported and (own ->> 'project')::bigint <> projects[n] then
      reservations[n] := null;
      own := null;
    end if;
    continue when own is null;
    expiries[n] := least(expiries[n], (own ->> 'endsAt')::timestamptz);
    reason := case
      when imported then null
      when (own ->> 'project')::bigint <> projects[n] then 'reservation is of another project'
      when reservations[n] is not distinct from old_reservations[n] then null
      when (own ->> 'startsAt')::timestamptz > now() then format('reservation begins at %s', own ->> 'startsAt')
      when (own ->> 'endsAt')::timestamptz <= now() then format('reservation ended at %s', own ->> 'endsAt') end;
    if reason is not null then
      reasons := reasons || jsonb_build_object('code', 'INVALID_INPUT', 'details', jsonb_build_object('consumer', consumers -> (n - 1) -> 'uuid', 'message', reason));
    end if;
  end loop;
  if reasons <> '[]' then
    perform refuse_all(reasons);
  end if;
end $$;
