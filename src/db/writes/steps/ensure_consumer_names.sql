-- Makes sure that projects, users and consumer types exist: reads first and inserts only what is missing, in sorted order.
-- A call of its own, so that the names are committed at once (ask_for_names). They are never deleted, so existing ones need no lock.
create or replace function ensure_consumer_names(project_names text[], user_names text[], type_names text[]) returns void language sql as $$
  insert into projects (external_id)
  select distinct n collate "C" from unnest(project_names) n where not exists (select from projects where external_id = n) order by 1
  on conflict do nothing;
  insert into users (external_id)
  select distinct n collate "C" from unnest(user_names) n where not exists (select from users where external_id = n) order by 1
  on conflict do nothing;
  insert into consumer_types (name)
  select distinct n collate "C" from unnest(type_names) n where not exists (select from consumer_types where name = n) order by 1
  on conflict do nothing;
$$;
