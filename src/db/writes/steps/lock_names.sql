-- Locks resource classes and traits against renaming and deletion, before any consumer or provider is locked: who renames a class locks the
-- class first, then the providers that have it. Read names in a later statement: those that were waited for may be gone.
create or replace function lock_names(classes text[], traits text[]) returns void language plpgsql as $$
begin
  perform from resource_classes rc where rc.name = any(classes) order by rc.id for key share;
  perform from traits t where t.name = any(lock_names.traits) order by t.id for key share;
end $$;
