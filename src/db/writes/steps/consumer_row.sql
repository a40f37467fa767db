-- A consumer in the form of write answers: its row with its allocations, from its state after the write (write_allocations).
create or replace function consumer_row(id bigint, uuid uuid, created_at timestamptz, state jsonb) returns jsonb language sql stable as $$
  select state || jsonb_build_object('id', id, 'uuid', uuid, 'createdAt', created_at, 'updatedAt', now())
$$;
