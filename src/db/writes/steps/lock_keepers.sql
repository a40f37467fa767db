-- Locks the programs that keep the records of a root, before the forest and the root: a report about a program locks that program first, too.
create or replace function lock_keepers(root uuid) returns void language sql as $$
  select from services s where (s.host, s.program) in (
    select r.body ->> 'host', r.body ->> 'program' from records r where r.uuid = root) order by s.id for update
$$;
