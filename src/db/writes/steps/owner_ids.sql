-- The ids of projects, users and consumer types by their names, null for null. unknown: all names, if one of them has no id (ask_for_names).
create or replace function owner_ids(
  projects text[], users text[], types text[], out project_ids bigint[], out user_ids bigint[], out type_ids bigint[], out unknown jsonb
) language plpgsql as $$
begin
  select array(select (select p.id from projects p where p.external_id = owner_ids.projects[n]) from generate_series(1, cardinality(owner_ids.projects)) n order by n),
         array(select (select u.id from users u where u.external_id = owner_ids.users[n]) from generate_series(1, cardinality(owner_ids.users)) n order by n),
         array(select (select t.id from consumer_types t where t.name = types[n]) from generate_series(1, cardinality(types)) n order by n)
  into project_ids, user_ids, type_ids;
  projects := array_remove(projects, null);
  users := array_remove(users, null);
  types := array_remove(types, null);
  if cardinality(array_remove(project_ids, null)) < cardinality(projects) or cardinality(array_remove(user_ids, null)) < cardinality(users)
     or cardinality(array_remove(type_ids, null)) < cardinality(types) then
    unknown := jsonb_build_object('projects', projects, 'users', users, 'types', types);
  end if;
end $$;
