-- lock_consumers for claims of new consumers only: inserts all of them at once, in the order of their uuids.
-- One element for each consumer; its type may be null. Returns an id for each, in the order of the input, and how many were `added`: one
-- that exists already is not, and its id belongs to no row.
create or replace function add_consumers(uuids uuid[], project_names text[], user_names text[], type_names text[], out ids bigint[], out added bigint)
language plpgsql as $$
declare
  all_named boolean;
begin
  ids := array(select nextval('consumers_id_seq') from generate_series(1, cardinality(uuids)));
  -- Indexes rather than unnest, here and in whatever is executed for each claim: each array of an unnest is spooled on its own.
  insert into consumers (id, uuid, project_id, user_id, consumer_type_id) overriding system value
  select ids[n], uuids[n], p.id, u.id, t.id
  from generate_series(1, cardinality(uuids)) n
  join projects p on p.external_id = project_names[n]
  join users u on u.external_id = user_names[n]
  left join consumer_types t on t.name = type_names[n]
  where t.id is not null or type_names[n] is null
  order by uuids[n]
  on conflict do nothing;
  get diagnostics added = row_count;
  if added < cardinality(uuids) then
    select bool_and(p.id is not null and u.id is not null and (t.id is not null or c.type is null)) into all_named
    from unnest(project_names, user_names, type_names) as c(project, "user", type)
    left join projects p on p.external_id = c.project
    left join users u on u.external_id = c."user"
    left join consumer_types t on t.name = c.type;
    if not all_named then
      perform ask_for_names((
        select jsonb_agg(jsonb_build_object('project', c.project, 'user', c."user", 'type', c.type))
        from unnest(project_names, user_names, type_names) as c(project, "user", type)));
    end if;
  end if;
end $$;
