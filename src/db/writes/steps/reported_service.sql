-- The state of a program (service_state) after a report (report_service); null when it is deleted. Only a disabled program keeps a reason.
create or replace function reported_service(before jsonb, report jsonb) returns jsonb language sql immutable as $$
  select case when not report ? 'version' or report ->> 'version' is not null then jsonb_strip_nulls(jsonb_build_object(
    'version', coalesce(state -> 'version', '0'),
    'disabled', nullif(state -> 'disabled', 'false'),
    'disabledReason', case when (state ->> 'disabled')::boolean then state -> 'disabledReason' end,
    'forcedDown', nullif(state -> 'forcedDown', 'false'))) end
  from (
    select coalesce(before, '{}') || (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(report)
      where key in ('version', 'disabled', 'disabledReason', 'forcedDown')) as state
  ) _
$$;
