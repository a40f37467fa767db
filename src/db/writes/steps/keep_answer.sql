-- Stores the answer of a write, in form 1 (kept-answers.ts), under the idempotency key that it took, with additional data of the caller (`besides`).
-- claim_together does the same for all its parts at once.
create or replace function keep_answer(idempotency jsonb, answer jsonb) returns void language sql as $$
  update idempotency_keys k
  set answer = keep_answer.answer || '{"form": 1}' || case when idempotency ? 'besides' then jsonb_build_object('besides', idempotency -> 'besides') else '{}' end
  where k.principal = idempotency ->> 'principal' and k.operation = idempotency ->> 'operation' and k.key = idempotency ->> 'key'
$$;
