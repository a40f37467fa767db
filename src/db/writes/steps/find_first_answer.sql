-- Takes an idempotency key for this write, or returns the answer stored under it (with `"replayed": true`).
-- A concurrent duplicate waits on the key until the first has committed. A refused write also rolls back its key.
-- Refuses IDEMPOTENCY_KEY_REUSED when the key was used with different input.
create or replace function find_first_answer(idempotency jsonb) returns jsonb language plpgsql as $$
declare
  first_use record;
begin
  insert into idempotency_keys (principal, operation, key, input_hash)
  values (idempotency ->> 'principal', idempotency ->> 'operation', idempotency ->> 'key', idempotency ->> 'hash')
  on conflict do nothing;
  if found then
    return null;
  end if;
  select k.input_hash, k.answer into first_use from idempotency_keys k
  where k.principal = idempotency ->> 'principal' and k.operation = idempotency ->> 'operation' and k.key = idempotency ->> 'key';
  if first_use is null or first_use.input_hash <> idempotency ->> 'hash' then
    perform refuse('IDEMPOTENCY_KEY_REUSED', jsonb_build_object('key', idempotency ->> 'key'));
  end if;
  return first_use.answer || '{"replayed": true}';
end $$;
