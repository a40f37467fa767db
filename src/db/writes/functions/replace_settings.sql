-- Replaces the settings of a service: a record without a provider, whose `generation` counts the replacements. Equal settings are left unchanged. The record gets
-- another uuid if one of another name has that already, which only an import can cause. Refuses SETTINGS_CONFLICT.
-- request: `record` ({kind, name, uuid, body}), `expect` ({generation}, 0 before the first; anything else accepts any state). Returns `record` (its body),
-- `eventId`.
create or replace function replace_settings(request jsonb) returns jsonb language plpgsql as $$
declare
  wanted jsonb := request -> 'record';
  named jsonb := jsonb_build_object('name', wanted -> 'name');
  own uuid;
  before jsonb;
  after jsonb;
  known bigint;
  changes jsonb;
begin
  -- Of two first replacements at once, one waits here for the other, and then finds its record.
  loop
    select r.uuid, r.body into own, before from records r where r.kind = wanted ->> 'kind' and r.name = wanted ->> 'name' for update;
    exit when found;
    own := case
      when exists (select from records r where r.kind = wanted ->> 'kind' and r.uuid = (wanted ->> 'uuid')::uuid) then gen_random_uuid()
      else (wanted ->> 'uuid')::uuid end;
    insert into records (kind, name, uuid, body)
    values (wanted ->> 'kind', wanted ->> 'name', own, (wanted -> 'body') || '{"generation": 1}') on conflict do nothing;
    exit when found;
  end loop;
  known := coalesce((before ->> 'generation')::bigint, 0);
  if (request #>> '{expect,generation}')::bigint <> known then
    perform refuse('SETTINGS_CONFLICT', jsonb_build_object('expected', request #> '{expect,generation}', 'actual', known));
  end if;
  if before - 'generation' = wanted -> 'body' then
    return jsonb_build_object('record', before, 'eventId', null);
  end if;
  after := (wanted -> 'body') || jsonb_build_object('generation', known + 1);
  update records r set body = after, updated_at = now() where r.kind = wanted ->> 'kind' and r.name = wanted ->> 'name' and before is not null;
  changes := jsonb_build_object('records', jsonb_build_object((wanted ->> 'kind') || ' ' || own, changed_keys(before || named, after || named)));
  return jsonb_build_object('record', after, 'eventId', record_event(request ->> 'kind', request -> 'by', changes));
end $$;
