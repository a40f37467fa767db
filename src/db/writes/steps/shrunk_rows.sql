-- The rows of the providers in warnings about shrunk inventories, and of their inventories, in the form of write answers.
create or replace function shrunk_rows(warnings jsonb) returns jsonb language sql stable as $$
  select jsonb_build_object('providers', coalesce(jsonb_agg(provider_row(p) order by p.id), '[]'), 'inventories', inventory_rows(array_agg(p.id)))
  from resource_providers p where p.uuid in (select (w ->> 'provider')::uuid from jsonb_array_elements(warnings) w)
$$;
