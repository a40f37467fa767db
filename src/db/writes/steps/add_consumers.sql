-- lock_consumers for claims of new consumers only: inserts all of them at once, in the order of their uuids.
-- consumers: `[{uuid, project, user, type}]`. Returns an id for each, in the order of the input, and how many were `added`: one that
-- exists already is not, and its id belongs to no row.
create or replace function add_consumers(consumers jsonb, out ids bigint[], out added bigint) language plpgsql as $$
declare
  all_named boolean;
begin
  with wanted as materialized (
    select nextval('consumers_id_seq') as id, c.uuid, p.id as project_id, u.id as user_id, t.id as type_id,
           p.id is not null and u.id is not null and (t.id is not null or c.type is null) as is_named
    from jsonb_to_recordset(consumers) as c(uuid uuid, project text, "user" text, type text)
    left join projects p on p.external_id = c.project
    left join users u on u.external_id = c."user"
    left join consumer_types t on t.name = c.type
  ),
  known as materialized (select array_agg(id) as ids, bool_and(is_named) as all_named from wanted),
  inserted as (
    insert into consumers (id, uuid, project_id, user_id, consumer_type_id) overriding system value
    select id, uuid, project_id, user_id, type_id from wanted where (select known.all_named from known)
    order by uuid
    on conflict do nothing
    returning id
  )
  select known.ids, known.all_named, (select count(*) from inserted) into add_consumers.ids, all_named, added from known;
  if not all_named then
    perform ask_for_names(consumers);
  end if;
end $$;
