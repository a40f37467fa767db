-- Like mark_changed, for a write that changes nothing of the providers but `used` of their inventories, generation and updated_at.
-- In plpgsql, as whatever claims execute that cannot be inlined: a function in SQL is planned anew by each call until Postgres 18.
create or replace function mark_used(ids bigint[]) returns void language plpgsql as $$
begin
  insert into provider_changes (xid, resource_provider_id, use_only) select pg_current_xact_id(), unnest(ids), true on conflict do nothing;
end $$;
