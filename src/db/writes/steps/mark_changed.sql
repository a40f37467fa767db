-- Tells the change feed that this transaction touches some providers: their rows, inventories, use, traits, aggregates or places, or that
-- they are gone. Every write does, for all that it touches, unless mark_used says enough; doing it twice does no harm.
create or replace function mark_changed(ids bigint[]) returns void language sql as $$
  insert into provider_changes as c (xid, resource_provider_id) select distinct pg_current_xact_id(), id from unnest(ids) id
  on conflict on constraint provider_changes_pkey do update set use_only = false where c.use_only
$$;
