-- A provider in the form of write answers: the row that the service would read now.
create or replace function provider_row(p resource_providers) returns jsonb language sql stable as $$
  select jsonb_build_object(<<providerRow>>)
$$;
