-- Locks the programs that keep the records of a root, before anything else is locked: who reports about a program locks it first, too.
create or replace function lock_keepers(root uuid) returns void language sql as $$
  select from services s where (s.host, s.program) in (
    select r.body ->> 'host', r.body ->> 'program' from records r where r.uuid = root) order by s.id for update
$$;
