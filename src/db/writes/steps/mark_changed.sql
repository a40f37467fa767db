-- Records for the change feed that this transaction changes some providers: their rows, inventories, usage, traits, aggregates or parents,
-- or deletes them. Every write must call it for all providers that it changes, unless mark_used is sufficient. Idempotent.
create or replace function mark_changed(ids bigint[]) returns void language sql as $$
  insert into provider_changes as c (xid, resource_provider_id) select distinct pg_current_xact_id(), id from unnest(ids) id
  on conflict on constraint provider_changes_pkey do update set use_only = false where c.use_only
$$;
