-- Like mark_changed, for a write that changes nothing of the providers but `used` of their inventories, generation and updated_at.
-- In plpgsql, like everything that claims execute and that cannot be inlined: before Postgres 18 each call plans a SQL function again.
create or replace function mark_used(ids bigint[]) returns void language plpgsql as $$
begin
  insert into provider_changes (xid, resource_provider_id, use_only) select pg_current_xact_id(), unnest(ids), true on conflict do nothing;
end $$;
