-- A program on a host in the form stored in events, without what is false or unknown.
create or replace function service_state(service services) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'version', service.version, 'disabled', nullif(service.disabled, false), 'disabledReason', service.disabled_reason,
    'forcedDown', nullif(service.forced_down, false)))
$$;
