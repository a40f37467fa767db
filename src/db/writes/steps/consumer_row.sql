-- A consumer as the answers of writes give it: its row, with what it holds, from its state after the write (consumer_state_after).
create or replace function consumer_row(id bigint, uuid uuid, created_at timestamptz, state jsonb) returns jsonb language sql stable as $$
  select state || jsonb_build_object('id', id, 'uuid', uuid, 'createdAt', created_at, 'updatedAt', now())
$$;
