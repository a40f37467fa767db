-- The change of a reservation in the form of an event's changes: as a record.
create or replace function reservation_changes(uuid uuid, before jsonb, after jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object('records', jsonb_build_object('reservation ' || uuid, reservation_change(before, after)))
$$;
