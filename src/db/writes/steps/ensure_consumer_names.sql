-- Makes sure that projects, users and consumer types exist: reads first and inserts only what is missing, in sorted order. New projects get the default quotas.
-- A call of its own, so that the names are committed at once (ask_for_names). They are never deleted, so existing ones need no lock.
create or replace function ensure_consumer_names(project_names text[], user_names text[], type_names text[]) returns void language sql as $$
  -- Waits while the defaults are replaced, which gives them to the projects that exist (replace_quotas), and while a class is deleted with its quotas (delete_resource_class).
  select pg_advisory_xact_lock_shared(8778009, hashtext('records'::regclass::oid::text));
  with added as (
    insert into projects (external_id)
    select distinct n collate "C" from unnest(project_names) n where not exists (select from projects where external_id = n) order by 1
    on conflict do nothing returning id
  )
  insert into quota_uses (project_id, consumer_type_id, resource_class_id, aggregate_id, is_default, most, used)
  select p.id, t.id, coalesce(rc.id, -1), a.id, true, q.amount, 0
  from added p
  join records r on r.kind = 'default_quotas'
  cross join lateral jsonb_to_recordset(r.body -> 'quotas') as q("user" text, "consumerType" text, "resourceClass" text, "aggregate" uuid, "amount" bigint)
  left join consumer_types t on t.name = q."consumerType"
  left join resource_classes rc on rc.name = q."resourceClass"
  left join placement_aggregates a on a.uuid = q."aggregate"
  where q."user" is null and (q."consumerType" is null) = (t.id is null) and (q."resourceClass" is null) = (rc.id is null)
    and (q."aggregate" is null) = (a.id is null)
  order by p.id, t.id, rc.id, a.id
  on conflict do nothing;
  insert into users (external_id)
  select distinct n collate "C" from unnest(user_names) n where not exists (select from users where external_id = n) order by 1
  on conflict do nothing;
  insert into consumer_types (name)
  select distinct n collate "C" from unnest(type_names) n where not exists (select from consumer_types where name = n) order by 1
  on conflict do nothing;
$$;
