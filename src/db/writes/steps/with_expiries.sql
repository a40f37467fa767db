-- The parts of claim_together, with the moment at which each of their consumers expires in its changes.
create or replace function with_expiries(parts jsonb, uuids uuid[], expiries timestamptz[]) returns jsonb language sql stable as $$
  with expiring as materialized (
    select jsonb_object_agg(uuid, expiry) as moments from unnest(uuids, expiries) as _(uuid, expiry) where expiry is not null
  )
  select jsonb_agg(jsonb_set(part, '{changes}', (
    select jsonb_object_agg(key, case when moments ? key then jsonb_set(value, '{after,expiresAt}', moments -> key) else value end)
    from jsonb_each(part -> 'changes'))) order by place)
  from expiring, jsonb_array_elements(parts) with ordinality as _(part, place)
$$;
