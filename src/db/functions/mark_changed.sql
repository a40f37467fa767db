-- Tells the change feed that this transaction touches some providers: their rows, inventories, use, traits, aggregates or places, or that
-- they are gone. Every write does, for all that it touches; doing it twice does no harm.
create or replace function mark_changed(ids bigint[]) returns void language sql as $$
  insert into provider_changes (xid, resource_provider_id) select pg_current_xact_id(), unnest(ids) on conflict do nothing
$$;
