-- A provider in the form of write answers: the row that the service would read now.
create or replace function provider_row(p resource_providers) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', p.id, 'uuid', p.uuid, 'name', p.name, 'generation', p.generation, 'parentId', p.parent_provider_id, 'rootId', p.root_provider_id,
    'createdAt', p.created_at, 'updatedAt', p.updated_at
  )
$$;
