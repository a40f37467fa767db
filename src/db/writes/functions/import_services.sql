-- Imports the programs of hosts from an export, in its order. A program that exists already is left unchanged.
-- request: `services` ([{host, program, version, disabled, disabledReason, forcedDown, updatedAt}]). Returns `written`, `eventId`.
create or replace function import_services(request jsonb) returns jsonb language plpgsql as $$
declare
  changes jsonb;
begin
  with added as (
    insert into services as known (host, program, version, disabled, disabled_reason, forced_down, updated_at)
    select d ->> 'host', d ->> 'program', (d ->> 'version')::int, (d ->> 'disabled')::boolean, d ->> 'disabledReason', (d ->> 'forcedDown')::boolean,
           (d ->> 'updatedAt')::timestamptz
    from jsonb_array_elements(request -> 'services') with ordinality as _(d, place) order by place
    on conflict on constraint services_pkey do nothing
    returning known.program || ' ' || known.host as name, service_state(known) as state
  )
  select coalesce(jsonb_object_agg(name, changed_keys(null, state)), '{}') into changes from added;
  return jsonb_build_object(
    'written', (select count(*) from jsonb_object_keys(changes)),
    'eventId', case when changes <> '{}' then record_event(request ->> 'kind', request -> 'by', jsonb_build_object('services', changes)) end
  );
end $$;
