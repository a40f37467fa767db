-- Takes the idempotency key of this write, or returns the answer stored under it (with `"replayed": true`).
-- Refuses IDEMPOTENCY_KEY_REUSED when the key was used with different input.
create or replace function find_first_answer(idempotency jsonb) returns jsonb language plpgsql as $$
declare
  first_use record;
begin
  if take_keys(jsonb_build_array(idempotency)) = 1 then
    return null;
  end if;
  select k.input_hash, k.answer into first_use from idempotency_keys k
  where k.principal = idempotency ->> 'principal' and k.operation = idempotency ->> 'operation' and k.key = idempotency ->> 'key';
  if first_use is null or first_use.input_hash <> idempotency ->> 'hash' then
    perform refuse('IDEMPOTENCY_KEY_REUSED', jsonb_build_object('key', idempotency ->> 'key'));
  end if;
  return first_use.answer || '{"replayed": true}';
end $$;
