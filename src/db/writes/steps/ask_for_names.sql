-- Ends a write of consumers whose projects, users or types are unknown: apply_write answers with these names (`unknownNames`), the caller
-- commits them on their own (ensure_consumer_names), and calls again. Inserted here, a new name would be locked for as long as this write
-- waits for a provider, and so would all other writes of a new project.
create or replace function ask_for_names(names jsonb) returns void language plpgsql as $$
begin
  raise exception using errcode = 'RP002', detail = names::text;
end $$;
