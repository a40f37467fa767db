-- Replaces the settings of a service: a record without a provider, whose `generation` counts the replacements. Equal settings are left unchanged. Refuses
-- SETTINGS_CONFLICT.
-- request: `record` ({kind, name, uuid, body}), `expect` ({generation}, 0 before the first; anything else accepts any state). Returns `record` (its body),
-- `eventId`.
create or replace function replace_settings(request jsonb) returns jsonb language plpgsql as $$
declare
  wanted jsonb := request -> 'record';
  stored jsonb;
  changes jsonb;
begin
  -- Of two first replacements at once, one waits here for the other.
  insert into records (kind, name, uuid, body)
  values (wanted ->> 'kind', wanted ->> 'name', (wanted ->> 'uuid')::uuid, '{"generation": 0}') on conflict do nothing;
  select r.body into stored from records r where r.kind = wanted ->> 'kind' and r.name = wanted ->> 'name' for update;
  if request -> 'expect' ? 'generation' and request #> '{expect,generation}' <> stored -> 'generation' then
    perform refuse('SETTINGS_CONFLICT', jsonb_build_object('expected', request #> '{expect,generation}', 'actual', stored -> 'generation'));
  end if;
  if stored - 'generation' = wanted -> 'body' then
    return jsonb_build_object('record', stored, 'eventId', null);
  end if;
  stored := (wanted -> 'body') || jsonb_build_object('generation', (stored ->> 'generation')::bigint + 1);
  changes := write_record(wanted || jsonb_build_object('body', stored));
  return jsonb_build_object('record', stored, 'eventId', record_event(request ->> 'kind', request -> 'by', changes));
end $$;
