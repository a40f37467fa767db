-- Consumers with all their allocations, by uuid: the form stored in events, plus columns of the row (id, uuid, createdAt, updatedAt).
-- Allocations are keyed by provider uuid and class name, as everywhere in events.
create or replace function consumer_states(ids bigint[]) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(c.uuid, c.state::jsonb || jsonb_build_object(
    'id', c.id, 'uuid', c.uuid, 'createdAt', c.created_at, 'updatedAt', c.updated_at)) filter (where c.id is not null), '{}')
  from consumer_rows(ids) c
$$;
