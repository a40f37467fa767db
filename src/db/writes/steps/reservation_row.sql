-- A reservation in the form of write answers: the row that the service would read now.
create or replace function reservation_row(r reservations) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'id', r.id, 'uuid', r.uuid, 'project', p.external_id, 'generation', r.generation, 'startsAt', r.starts_at, 'endsAt', r.ends_at,
    'hasBegun', r.starts_at <= now(), 'createdAt', r.created_at, 'updatedAt', r.updated_at)
  from projects p where p.id = r.project_id
$$;
