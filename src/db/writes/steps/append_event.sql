-- Appends an event to the ledger, indexed under every provider, consumer and project that it affected, and under the classes in its
-- changes. Returns its id.
-- classes: those in its changes, if the caller knows them.
-- changes: `{"providers": {uuid: {"before", "after"}}, "consumers": {…}}`, only the parts that changed; other keys are stored as given.
create or replace function append_event(kind text, by jsonb, changes jsonb, consumers uuid[], providers uuid[], project_names text[], classes text[] default null)
returns bigint language sql as $$
  select (append_events(
    kind, jsonb_build_array(jsonb_build_object('by', by, 'consumers', consumers, 'providers', providers, 'projects', project_names, 'classes', classes)), array[changes]))[1]
$$;
