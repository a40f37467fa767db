-- Records the version of a program on a host (`version`), or deletes the record (null). An unchanged report writes nothing.
-- request: `host`, `program`, `version`, `minimumOf` (a program). Returns `changed`, `eventId`, and for a call with an idempotency key
-- `minimum`: the lowest version of that program after the write. Other calls read it on demand.
create or replace function report_service(request jsonb) returns jsonb language plpgsql as $$
declare
  before jsonb;
  after jsonb := case when request ->> 'version' is not null then jsonb_build_object('version', (request ->> 'version')::int) end;
  changed jsonb;
  answer jsonb := '{"changed": false, "eventId": null}';
begin
  select jsonb_build_object('version', s.version) into before from services s
  where s.host = request ->> 'host' and s.program = request ->> 'program';
  -- What may have to change is read again under its lock: of equal reports at once one writes an event.
  while before is distinct from after loop
    select jsonb_build_object('version', s.version) into before from services s
    where s.host = request ->> 'host' and s.program = request ->> 'program' for update;
    exit when before is not null or after is null;
    insert into services (host, program, version) values (request ->> 'host', request ->> 'program', (request ->> 'version')::int)
    on conflict on constraint services_pkey do nothing;
    exit when found;
  end loop;
  changed := changed_keys(before, after);
  if changed is not null then
    if after is null then
      delete from services s where s.host = request ->> 'host' and s.program = request ->> 'program';
    elsif before is not null then
      update services s set version = (request ->> 'version')::int, updated_at = now()
      where s.host = request ->> 'host' and s.program = request ->> 'program';
    end if;
    answer := jsonb_build_object('changed', true, 'eventId', record_event(request ->> 'kind', request -> 'by', jsonb_build_object(
      'services', jsonb_build_object((request ->> 'program') || ' ' || (request ->> 'host'), changed))));
  end if;
  if request ? 'idempotency' then
    answer := answer || jsonb_build_object('minimum', (select min(s.version) from services s where s.program = request ->> 'minimumOf'));
  end if;
  return answer;
end $$;
