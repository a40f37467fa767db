-- One at a time for writes that change who is above whom, or what a provider is called: otherwise two moves can make a loop.
create or replace function lock_forest() returns void language sql as $$
  select pg_advisory_xact_lock(8778002)
$$;
