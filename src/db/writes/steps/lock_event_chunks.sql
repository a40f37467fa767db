-- Takes the right to change the chunks of events (schema.ts); returns whether it did. One gateway is enough, so others do not wait. Each schema of a
-- database has chunks of its own.
create or replace function lock_event_chunks() returns boolean language sql as $$
  select pg_try_advisory_xact_lock(8778004, hashtext('events'::regclass::oid::text))
$$;
