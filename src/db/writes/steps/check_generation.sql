-- Checks the caller's expectation of a locked provider. Refuses PROVIDER_CONFLICT.
-- expect: `{"generation": n}`; null or anything else accepts any state.
create or replace function check_generation(provider resource_providers, expect jsonb) returns void language plpgsql as $$
begin
  if expect ? 'generation' and (expect ->> 'generation')::bigint <> provider.generation then
    perform refuse('PROVIDER_CONFLICT', jsonb_build_object(
      'provider', provider.uuid, 'expected', expect -> 'generation', 'actual', provider.generation));
  end if;
end $$;
