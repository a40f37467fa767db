-- Ends a write of consumers whose projects, users or types are unknown: apply_write answers with these names (`unknownNames`), the caller
-- commits them on their own (ensure_consumer_names), and calls again. Inserted here, a new name would be locked for as long as this write
-- waits for a provider, and so would all other writes of a new project.
create or replace function ask_for_names(consumers jsonb) returns void language plpgsql as $$
begin
  raise exception using errcode = 'RP002', detail = jsonb_build_object(
    'projects', (select coalesce(jsonb_agg(distinct c -> 'project'), '[]') from jsonb_array_elements(consumers) c where c ->> 'project' is not null),
    'users', (select coalesce(jsonb_agg(distinct c -> 'user'), '[]') from jsonb_array_elements(consumers) c where c ->> 'user' is not null),
    'types', (select coalesce(jsonb_agg(distinct c -> 'type'), '[]') from jsonb_array_elements(consumers) c where c ->> 'type' is not null))::text;
end $$;
