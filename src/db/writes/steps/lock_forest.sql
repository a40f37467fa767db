-- Serializes writes that change parents or names of providers: otherwise two concurrent moves could create a loop.
create or replace function lock_forest() returns void language sql as $$
  select pg_advisory_xact_lock(8778002)
$$;
