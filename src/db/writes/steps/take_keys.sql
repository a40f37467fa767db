-- Takes idempotency keys for this write, and leaves out those that were used before. Returns how many it has taken.
-- A concurrent duplicate waits on the key until the first has committed. A refused write also rolls back its key.
create or replace function take_keys(keys jsonb) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  insert into idempotency_keys (principal, operation, key, input_hash)
  select k.principal, k.operation, k.key, k.hash
  from jsonb_to_recordset(keys) as k(principal text, operation text, key text, hash text)
  order by 1, 2, 3
  on conflict do nothing;
  get diagnostics taken = row_count;
  return taken;
end $$;
