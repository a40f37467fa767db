-- Deletes what other services keep about a root that is deleted: its records, and a program that kept one of them (`program`, `host` of its body) if
-- it keeps no other. The rows of these programs are locked (lock_keepers). Returns the changes, in the form of an event's changes.
create or replace function forget_root(root uuid) returns jsonb language plpgsql as $$
declare
  known records;
  keeper services;
  changes jsonb := '{}';
begin
  for known in delete from records r where r.uuid = root returning r.* loop
    changes := changes || jsonb_build_object('records', coalesce(changes -> 'records', '{}') || jsonb_build_object(
      known.kind || ' ' || known.uuid, jsonb_build_object('before', known.body || jsonb_build_object('name', known.name), 'after', null)));
    if not exists (select from records r where r.kind = known.kind and r.body ->> 'host' = known.body ->> 'host') then
      delete from services s where s.host = known.body ->> 'host' and s.program = known.body ->> 'program' returning s.* into keeper;
      if found then
        changes := changes || jsonb_build_object('services', jsonb_build_object(
          keeper.program || ' ' || keeper.host, jsonb_build_object('before', service_state(keeper), 'after', null)));
      end if;
    end if;
  end loop;
  return changes;
end $$;
