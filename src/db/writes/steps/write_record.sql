-- Stores a record under its name and uuid: step of apply_report. A record with the same uuid is renamed; another one
-- with the same name is deleted. The time of its last report is exact to ten minutes. Returns the changes, in the form of an event's changes.
-- wanted: `{kind, name, uuid, body}`, optionally `expect`: `{version}`, the hash of the former body from which the body was made (src/db/reports.ts). Refuses
-- PROVIDER_CONFLICT if it has another one, because the body would revert what another report has written. Of two concurrent first reports of one name the later one fails on records_pkey, and is repeated.
create or replace function write_record(wanted jsonb) returns jsonb language plpgsql as $$
declare
  before jsonb;
  version text;
  changed jsonb;
begin
  -- Both records that can conflict with it, in one order: another report may exchange their names.
  perform from records r
  where r.kind = wanted ->> 'kind' and (r.uuid = (wanted ->> 'uuid')::uuid or r.name = wanted ->> 'name') order by r.uuid for update;
  select r.body || jsonb_build_object('name', r.name), jsonb_hash_extended(r.body, 0)::text into before, version from records r
  where r.kind = wanted ->> 'kind' and r.uuid = (wanted ->> 'uuid')::uuid;
  if wanted ? 'expect' and wanted #>> '{expect,version}' is distinct from version then
    perform refuse('PROVIDER_CONFLICT', jsonb_build_object('provider', p.uuid, 'expected', p.generation, 'actual', p.generation))
    from resource_providers p where p.uuid = (wanted ->> 'uuid')::uuid;
  end if;
  changed := changed_keys(before, (wanted -> 'body') || jsonb_build_object('name', wanted ->> 'name'));
  if changed is null then
    -- A repeated report is noted from time to time, without an event; src/db/reports.ts says when.
    update records r set updated_at = now()
    where r.kind = wanted ->> 'kind' and r.uuid = (wanted ->> 'uuid')::uuid and r.updated_at < now() - interval '10 minutes';
    return '{}';
  end if;
  delete from records r where r.kind = wanted ->> 'kind' and r.name = wanted ->> 'name' and r.uuid <> (wanted ->> 'uuid')::uuid;
  insert into records as known (kind, name, uuid, body)
  values (wanted ->> 'kind', wanted ->> 'name', (wanted ->> 'uuid')::uuid, wanted -> 'body')
  on conflict on constraint records_uuid_key do update set name = excluded.name, body = excluded.body, updated_at = now();
  return jsonb_build_object('records', jsonb_build_object((wanted ->> 'kind') || ' ' || (wanted ->> 'uuid'), changed));
end $$;
