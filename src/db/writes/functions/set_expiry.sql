-- Lets consumers expire at another moment, or last, and leaves what they hold as it is. Refuses CONSUMER_CONFLICT, INVALID_INPUT (an expiry in the past),
-- NOT_FOUND (a consumer), CAPACITY_EXCEEDED (one that would stay meets reservations).
-- request: `consumers` ([{uuid, expect, expiresIn or expiresAt, allocations: []}]), as for lock_consumers. Returns `consumers`, `providers` and
-- `classIds`, as write_allocations does.
create or replace function set_expiry(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  held record;
  missing int;
  before json[]; after json[];
  event_id bigint;
begin
  locked := lock_consumers(request -> 'consumers');
  missing := array_position(locked.previous, null);
  if missing is not null then
    perform refuse('NOT_FOUND', jsonb_build_object('noun', 'consumer', 'key', request #> array['consumers', (missing - 1)::text, 'uuid']));
  end if;
  perform refuse_to_stay(request -> 'consumers', locked);
  before := array(select c.state from consumer_rows(locked.previous) c order by c.place);
  -- All exist. One by one, as in write_allocations.
  insert into consumers as c (id, uuid, project_id, user_id, expires_at) overriding system value
  select locked.previous[place], (e ->> 'uuid')::uuid, locked.projects[place], locked.users[place], locked.expiries[place]
  from jsonb_array_elements(request -> 'consumers') with ordinality as _(e, place)
  on conflict on constraint consumers_pkey do update set generation = c.generation + 1, updated_at = now(), expires_at = excluded.expires_at;
  after := array(
    select (c.state::jsonb || jsonb_build_object('expiresAt', c.expires_at))::json from consumer_rows(locked.previous) c order by c.place);
  held := held_rows(locked.previous, '{}');
  event_id := append_event(
    request ->> 'kind', request -> 'by', event_changes('{}', (
      select json_object_agg(e ->> 'uuid', json_build_object('before', before[place], 'after', after[place]))
      from jsonb_array_elements(request -> 'consumers') with ordinality as _(e, place))),
    array(select (e ->> 'uuid')::uuid from jsonb_array_elements(request -> 'consumers') e), '{}',
    array(select distinct state ->> 'project' from unnest(after) state));
  return jsonb_build_object(
    'eventId', event_id,
    -- What they hold, for the answer of a repeated call.
    'providers', (
      select coalesce(jsonb_agg(provider_row(p) order by p.id), '[]') from resource_providers p where p.id = any(held.provider_ids)),
    'classIds', (select coalesce(jsonb_object_agg(rc.name, rc.id), '{}') from resource_classes rc where rc.id = any(held.class_ids)),
    'consumers', (
      select jsonb_agg(c.state::jsonb || jsonb_build_object(
        'id', c.id, 'uuid', c.uuid, 'createdAt', c.created_at, 'updatedAt', c.updated_at, 'expiresAt', c.expires_at) order by c.place)
      from consumer_rows(locked.previous) c));
end $$;
