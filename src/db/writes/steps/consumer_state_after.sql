-- The state of a consumer after write_allocations, in the form of consumer_states without the columns of its row; null when it has no
-- allocations. Computed from the request and the previous state, so that nothing is read again.
create or replace function consumer_state_after(wanted jsonb, old jsonb, source jsonb, imported boolean) returns jsonb language plpgsql immutable as $$
declare
  held jsonb := source -> 'allocations';
begin
  if held is null then
    select jsonb_agg(r order by r ->> 'provider' collate "C", r ->> 'resourceClass' collate "C") into held from jsonb_array_elements(wanted -> 'allocations') r;
    if held is null then
      return null;
    end if;
  end if;
  return jsonb_build_object(
    'generation', case when imported then (wanted ->> 'generation')::bigint else coalesce((old ->> 'generation')::bigint, 0) + 1 end,
    'project', coalesce(wanted ->> 'project', old ->> 'project', source ->> 'project'),
    'user', coalesce(wanted ->> 'user', old ->> 'user', source ->> 'user'),
    'type', case when (wanted ->> 'keepType')::boolean then old ->> 'type' else wanted ->> 'type' end,
    'allocations', held
  );
end $$;
