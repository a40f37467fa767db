-- lock_consumers for claims of new consumers only: inserts all of them at once, in the order of their uuids. Refuses CONSUMER_CONFLICT,
-- without details, when one exists. consumers: `[{uuid, project, user, type}]`. Returns their ids in the order of the input.
create or replace function add_consumers(consumers jsonb) returns bigint[] language plpgsql as $$
declare
  ids bigint[];
  all_named boolean;
  added bigint;
begin
  loop
    with wanted as materialized (
      select nextval('consumers_id_seq') as id, c.uuid, p.id as project_id, u.id as user_id, t.id as type_id,
             p.id is not null and u.id is not null and (t.id is not null or c.type is null) as is_named
      from jsonb_to_recordset(consumers) as c(uuid uuid, project text, "user" text, type text)
      left join projects p on p.external_id = c.project
      left join users u on u.external_id = c."user"
      left join consumer_types t on t.name = c.type
    ),
    -- Names come before consumers: while one is missing, no consumer is inserted.
    known as materialized (select array_agg(id) as ids, bool_and(is_named) as all_named from wanted),
    added as (
      insert into consumers (id, uuid, project_id, user_id, consumer_type_id) overriding system value
      select id, uuid, project_id, user_id, type_id from wanted where (select known.all_named from known)
      order by uuid
      on conflict do nothing
      returning id
    )
    select known.ids, known.all_named, (select count(*) from added) into ids, all_named, added from known;
    exit when all_named;
    perform ensure_consumer_names(
      array(select c ->> 'project' from jsonb_array_elements(consumers) c),
      array(select c ->> 'user' from jsonb_array_elements(consumers) c),
      array(select c ->> 'type' from jsonb_array_elements(consumers) c));
  end loop;
  if added < cardinality(ids) then
    perform refuse('CONSUMER_CONFLICT', '{}');
  end if;
  return ids;
end $$;
