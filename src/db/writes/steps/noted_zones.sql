-- What note_zones has noted in this write; null if nothing.
create or replace function noted_zones() returns jsonb language sql stable as $$
  select nullif(current_setting('placement.zones', true), '')::jsonb
$$;
