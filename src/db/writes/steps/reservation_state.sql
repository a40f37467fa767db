-- A reservation in the form that events store; null without one.
create or replace function reservation_state(reservation bigint) returns jsonb language sql stable as $$
  select jsonb_build_object('project', p.external_id, 'generation', r.generation, 'startsAt', r.starts_at, 'endsAt', r.ends_at, 'amounts', (
    select coalesce(jsonb_object_agg(of_provider.uuid, of_provider.amounts), '{}')
    from (
      -- One by one, as in lock_consumers.
      select p.uuid, jsonb_object_agg(rc.name, a.amount) as amounts
      from (select * from reservation_amounts a where a.reservation_id = r.id offset 0) a
      join resource_providers p on p.id = a.resource_provider_id join resource_classes rc on rc.id = a.resource_class_id
      group by 1
    ) of_provider))
  from reservations r join projects p on p.id = r.project_id where r.id = reservation
$$;
