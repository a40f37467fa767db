-- Records the state of a program on a host, or deletes it (`version` null). An unchanged report writes nothing. With `mustExist`, an unknown program is
-- refused (NOT_FOUND).
-- request: `host`, `program`; any of `version` (default 0 for a new one), `disabled`, `disabledReason`, `forcedDown` (absent ones are unchanged);
-- `minimumOf` (a program); optionally `mark`: the `trait` of the roots whose program is disabled or forced down. They are those with a record of
-- `mark`.`kind` that names the host, and those without such a record that have the host's name and the trait `mark`.`of`.
-- Returns `changed`, `eventId`, and for a call with an idempotency key `minimum`: the lowest version of that program after the write, of those
-- that report one (not 0) and are not forced down. Other calls read it on demand.
create or replace function report_service(request jsonb) returns jsonb language plpgsql as $$
declare
  before jsonb;
  after jsonb;
  changed jsonb;
  changes jsonb;
  marked jsonb := '{}';
  answer jsonb := '{"changed": false, "eventId": null}';
begin
  select service_state(s) into before from services s where s.host = request ->> 'host' and s.program = request ->> 'program';
  after := reported_service(before, request);
  -- Read again under the lock: of equal reports at once, one writes an event.
  while before is distinct from after loop
    select service_state(s) into before from services s where s.host = request ->> 'host' and s.program = request ->> 'program' for update;
    after := reported_service(before, request);
    exit when before is not null or after is null;
    insert into services (host, program, version, disabled, disabled_reason, forced_down)
    values (request ->> 'host', request ->> 'program', (after ->> 'version')::int, after ? 'disabled', after ->> 'disabledReason', after ? 'forcedDown')
    on conflict on constraint services_pkey do nothing;
    exit when found;
  end loop;
  if before is null and (request ->> 'mustExist')::boolean then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'service', 'key', (request ->> 'program') || ' on ' || (request ->> 'host')));
  end if;
  changed := changed_keys(before, after);
  if changed is not null then
    if after is null then
      delete from services s where s.host = request ->> 'host' and s.program = request ->> 'program';
    elsif before is not null then
      update services s set version = (after ->> 'version')::int, disabled = after ? 'disabled', disabled_reason = after ->> 'disabledReason',
        forced_down = after ? 'forcedDown', updated_at = now()
      where s.host = request ->> 'host' and s.program = request ->> 'program';
    end if;
    if request ? 'mark' and after is not null and is_out_of_work(after) <> is_out_of_work(before) then
      marked := mark_roots(request -> 'mark', request ->> 'host', is_out_of_work(after));
    end if;
    changes := jsonb_build_object('services', jsonb_build_object((request ->> 'program') || ' ' || (request ->> 'host'), changed));
    if marked <> '{}' then
      changes := changes || jsonb_build_object('providers', marked);
    end if;
    answer := jsonb_build_object('changed', true, 'eventId', record_event(request ->> 'kind', request -> 'by', changes));
  end if;
  if request ? 'idempotency' then
    answer := answer || jsonb_build_object('minimum', (
      select min(s.version) from services s where s.program = request ->> 'minimumOf' and s.version > 0 and not s.forced_down));
  end if;
  return answer;
end $$;
