-- lock_consumers for claims of new consumers only: adds all of them at once, in the order of their uuids. Refuses CONSUMER_CONFLICT when
-- one exists, naming the first. consumers: as for lock_consumers, each with project, user and something to hold. Returns their ids in
-- the order of the input.
create or replace function add_consumers(consumers jsonb) returns bigint[] language plpgsql as $$
declare
  ids bigint[];
  existing record;
begin
  perform ensure_consumer_names(
    array(select c ->> 'project' from jsonb_array_elements(consumers) c),
    array(select c ->> 'user' from jsonb_array_elements(consumers) c),
    array(select c ->> 'type' from jsonb_array_elements(consumers) c))
  where exists (
    select from jsonb_array_elements(consumers) c
    where not exists (select from projects p where p.external_id = c ->> 'project')
       or not exists (select from users u where u.external_id = c ->> 'user')
       or c ->> 'type' is not null and not exists (select from consumer_types t where t.name = c ->> 'type')
  );
  with wanted as materialized (
    select place, (c ->> 'uuid')::uuid as uuid, c ->> 'project' as project, c ->> 'user' as user_name, c ->> 'type' as type
    from jsonb_array_elements(consumers) with ordinality as _(c, place)
  ),
  added as (
    insert into consumers (uuid, project_id, user_id, consumer_type_id)
    select w.uuid, p.id, u.id, (select t.id from consumer_types t where t.name = w.type)
    from wanted w join projects p on p.external_id = w.project join users u on u.external_id = w.user_name
    order by w.uuid
    on conflict do nothing
    returning id, uuid
  )
  select array_agg(added.id order by wanted.place) into ids from wanted left join added using (uuid);
  if array_position(ids, null) is not null then
    select c.uuid, c.generation into existing
    from consumers c where c.uuid = (consumers -> (array_position(ids, null) - 1) ->> 'uuid')::uuid;
    perform refuse('CONSUMER_CONFLICT', jsonb_build_object('consumer', existing.uuid, 'expected', null, 'actual', existing.generation));
  end if;
  return ids;
end $$;
