-- Stores the answers of a write under the idempotency keys that it took, each with its form (kept-answers.ts), and with
-- additional data of the caller (`besides`). A null is not stored.
create or replace function keep_answers(keys jsonb, answers jsonb[]) returns void language plpgsql as $$
begin
  update idempotency_keys k
  set answer = answers[named.nth] || case when named.besides is null then '{}' else jsonb_build_object('besides', named.besides) end
  from rows from (jsonb_to_recordset(keys) as (principal text, operation text, key text, besides jsonb))
    with ordinality as named(principal, operation, key, besides, nth)
  where answers[named.nth] is not null and k.principal = named.principal and k.operation = named.operation and k.key = named.key;
end $$;
