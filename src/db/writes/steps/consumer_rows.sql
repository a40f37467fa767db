-- The current consumers, each at its place in the list; null for a missing one. `state` is the form that events store.
-- As json, which is assembled as text and parsed once: an object of jsonb is decoded and encoded again for every object that contains it.
create or replace function consumer_rows(ids bigint[])
returns table (place bigint, id bigint, uuid uuid, generation bigint, project text, created_at timestamptz, updated_at timestamptz, expires_at timestamptz, reservation uuid, state json)
language sql stable as $$
  select named.place, c.id, c.uuid, c.generation, p.external_id, c.created_at, c.updated_at, c.expires_at, r.uuid,
         case when c.id is not null then consumer_state(
           c.generation, p.external_id, u.external_id, t.name, c.expires_at is not null, c.expires_at, r.uuid, held.allocations) end
  from unnest(ids) with ordinality as named(id, place)
  -- One by one, as in lock_consumers.
  left join lateral (select * from consumers c where c.id = named.id offset 0) c on true
  left join projects p on p.id = c.project_id
  left join users u on u.id = c.user_id
  left join consumer_types t on t.id = c.consumer_type_id
  left join lateral (select r.uuid from reservations r where r.id = c.reservation_id offset 0) r on true
  left join lateral (
    select coalesce(json_agg(json_build_object('provider', p.uuid, 'resourceClass', rc.name, 'amount', a.used) order by p.uuid, rc.name collate "C"), '[]') as allocations
    from (select * from allocations a where a.consumer_id = c.id offset 0) a
    join resource_providers p on p.id = a.resource_provider_id
    join resource_classes rc on rc.id = a.resource_class_id
  ) held on true
$$;
