-- A consumer in the form that events store. `expiresAt` is part of it if the consumer expires, or has expired so far; `reservation` (a uuid) if it claims from one,
-- with which it always expires. Given columns, this is part of the statement that calls it.
create or replace function consumer_state(
  generation bigint, project text, owner text, type text, has_expiry boolean, expires_at timestamptz, reservation uuid, allocations json
) returns json language sql stable as $$
  select case
    when reservation is not null then json_build_object('generation', generation, 'project', project, 'user', owner, 'type', type,
      'expiresAt', expires_at, 'reservation', reservation, 'allocations', allocations)
    when has_expiry
    then json_build_object('generation', generation, 'project', project, 'user', owner, 'type', type, 'expiresAt', expires_at, 'allocations', allocations)
    else json_build_object('generation', generation, 'project', project, 'user', owner, 'type', type, 'allocations', allocations)
  end
$$;
