-- Makes sure that projects, users and consumer types exist: reads first and inserts only what is missing, in sorted order.
-- They are never deleted, so existing ones need no lock.
create or replace function ensure_consumer_names(project_names text[], user_names text[], type_names text[]) returns void language sql as $$
  insert into projects (external_id)
  select distinct n from unnest(project_names) n where n is not null and not exists (select from projects where external_id = n) order by n
  on conflict do nothing;
  insert into users (external_id)
  select distinct n from unnest(user_names) n where n is not null and not exists (select from users where external_id = n) order by n
  on conflict do nothing;
  insert into consumer_types (name)
  select distinct n from unnest(type_names) n where n is not null and not exists (select from consumer_types where name = n) order by n
  on conflict do nothing;
$$;
