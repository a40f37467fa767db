-- Ends a write that does not wait for providers locked by others, if there are any: apply_write returns their uuids as `locked`.
create or replace function blocked_by(providers uuid[]) returns void language plpgsql as $$
begin
  if cardinality(providers) > 0 then
    raise exception using errcode = 'RP003', message = 'providers are locked', detail = to_jsonb(providers)::text;
  end if;
end $$;
