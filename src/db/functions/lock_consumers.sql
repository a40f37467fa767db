-- The first half of every allocation write: makes names, then locks or creates the consumers one by one in the order of their uuids, and
-- checks what the caller expects of each. Refuses CONSUMER_CONFLICT, INVALID_INPUT (a new consumer without project or user).
--
-- consumers: `[{uuid, expect: {generation} | {isNew} | {}, project, user, type, keepType, takeFrom, allocations}]`.
-- Returns, in the order of the input, the ids (null for one that does not exist and shall hold nothing) and whether it was created here.
-- A consumer created here has generation 1 already and goes with the transaction if the write is refused.
create or replace function lock_consumers(consumers jsonb, out ids bigint[], out created boolean[]) language plpgsql as $$
declare
  wanted record;
  known record;
  locked record;
begin
  if exists (
    select from jsonb_to_recordset(consumers) as c(project text, "user" text, type text)
    where c.project is not null and not exists (select from projects p where p.external_id = c.project)
       or c."user" is not null and not exists (select from users u where u.external_id = c."user")
       or c.type is not null and not exists (select from consumer_types t where t.name = c.type)
  ) then
    perform ensure_consumer_names(
      array(select c ->> 'project' from jsonb_array_elements(consumers) c),
      array(select c ->> 'user' from jsonb_array_elements(consumers) c),
      array(select c ->> 'type' from jsonb_array_elements(consumers) c));
  end if;
  ids := array_fill(null::bigint, array[jsonb_array_length(consumers)]);
  created := array_fill(false, array[jsonb_array_length(consumers)]);
  for wanted in
    select (e ->> 'uuid')::uuid as uuid, e -> 'expect' as expect, e ->> 'project' as project, e ->> 'user' as "user", e ->> 'type' as type,
           e ? 'takeFrom' as takes, e ? 'takeFrom' or jsonb_array_length(e -> 'allocations') > 0 as holds, ordinality::int as place
    from jsonb_array_elements(consumers) with ordinality as _(e, ordinality)
    order by 1
  loop
    loop
      select c.id, c.generation into locked from consumers c where c.uuid = wanted.uuid for no key update;
      exit when found;
      if wanted.expect ? 'generation' then
        perform refuse('CONSUMER_CONFLICT', jsonb_build_object('consumer', wanted.uuid, 'expected', wanted.expect -> 'generation', 'actual', null));
      end if;
      exit when not wanted.holds;
      select (select p.id from projects p where p.external_id = wanted.project) as project_id,
             (select u.id from users u where u.external_id = wanted."user") as user_id,
             (select t.id from consumer_types t where t.name = wanted.type) as type_id
      into known;
      if (known.project_id is null or known.user_id is null) and not wanted.takes then
        perform refuse('INVALID_INPUT', jsonb_build_object(
          'consumer', wanted.uuid, 'message', 'project and user are required for a new consumer'));
      end if;
      -- One that takes from another gets that one's project and user in write_allocations; 0 never stays.
      insert into consumers (uuid, project_id, user_id, consumer_type_id)
      values (wanted.uuid, coalesce(known.project_id, 0), coalesce(known.user_id, 0), known.type_id)
      on conflict do nothing
      returning id into locked.id;
      if found then
        created[wanted.place] := true;
        exit;
      end if;
    end loop;
    ids[wanted.place] := locked.id;
    if locked.id is not null and not created[wanted.place] then
      if wanted.expect ? 'isNew' then
        perform refuse('CONSUMER_CONFLICT', jsonb_build_object('consumer', wanted.uuid, 'expected', null, 'actual', locked.generation));
      elsif wanted.expect ? 'generation' and (wanted.expect ->> 'generation')::bigint <> locked.generation then
        perform refuse('CONSUMER_CONFLICT', jsonb_build_object(
          'consumer', wanted.uuid, 'expected', wanted.expect -> 'generation', 'actual', locked.generation));
      end if;
    end if;
  end loop;
end $$;
