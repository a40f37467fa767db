-- Whether this transaction is now the one that changes the chunks of events (schema.ts): one gateway is enough, so others do not wait. Several schemas of
-- one database have chunks of their own.
create or replace function lock_event_chunks() returns boolean language sql as $$
  select pg_try_advisory_xact_lock(8778004, hashtext('events'::regclass::oid::text))
$$;
