-- Consumers with all their allocations, by uuid: the form stored in events, plus columns of the row (id, uuid, createdAt, updatedAt).
-- Allocations are keyed by provider uuid and class name, as everywhere in events.
create or replace function consumer_states(ids bigint[]) returns jsonb language sql stable as $$
  select coalesce(jsonb_object_agg(c.uuid, jsonb_build_object(
    'id', c.id, 'uuid', c.uuid, 'generation', c.generation, 'createdAt', c.created_at, 'updatedAt', c.updated_at,
    'project', (select p.external_id from projects p where p.id = c.project_id),
    'user', (select u.external_id from users u where u.id = c.user_id),
    'type', (select t.name from consumer_types t where t.id = c.consumer_type_id),
    'allocations', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', p.uuid, 'resourceClass', rc.name, 'amount', a.used)
        order by p.uuid, rc.name collate "C"), '[]')
      from allocations a
      join resource_providers p on p.id = a.resource_provider_id
      join resource_classes rc on rc.id = a.resource_class_id
      where a.consumer_id = c.id
    )
  )), '{}')
  from consumers c where c.id = any(ids)
$$;
