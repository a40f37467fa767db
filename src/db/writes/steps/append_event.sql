-- Appends one event to the ledger, findable under every provider, consumer and project that it touched, and under the classes that it speaks
-- of. Returns its id.
-- changes: `{"providers": {uuid: {"before", "after"}}, "consumers": {…}}`, only the parts that changed; other keys are kept as they are.
create or replace function append_event(kind text, by jsonb, changes jsonb, consumers uuid[], providers uuid[], project_ids text[])
returns bigint language sql as $$
  select (append_events(
    kind, jsonb_build_array(jsonb_build_object('by', by, 'consumers', consumers, 'providers', providers, 'projects', project_ids)), array[changes]))[1]
$$;
