-- Locks resource classes and traits against renaming and deletion, before any consumer or provider: a write that renames a class locks the class first,
-- then the providers that have it. A name can change hands during the wait for its owner, so the owners are read again until all of them are locked. An
-- unknown name can be given during the wait for providers, so write_inventories and write_traits look again.
create or replace function lock_names(classes text[], traits text[]) returns void language plpgsql as $$
declare
  locked bigint[];
begin
  loop
    locked := array(select rc.id from resource_classes rc where rc.name = any(classes) order by rc.id for key share);
    exit when not exists (select from resource_classes rc where rc.name = any(classes) and rc.id <> all(locked));
  end loop;
  loop
    locked := array(select t.id from traits t where t.name = any(lock_names.traits) order by t.id for key share);
    exit when not exists (select from traits t where t.name = any(lock_names.traits) and t.id <> all(locked));
  end loop;
end $$;
