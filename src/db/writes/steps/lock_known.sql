-- Locks those of the consumers that are expected to exist. Returns for each, in the order given, its id and its owner; null for one that is expected to be new, and for
-- one that is not as claim_together can write it: it does not exist, others have locked it, it has another generation, expires, or claims from a reservation.
-- expects: the generation that each must have; -1: any; null: it is new.
create or replace function lock_known(
  uuids uuid[], expects bigint[], out ids bigint[], out projects bigint[], out users bigint[], out types bigint[]
) language plpgsql as $$
begin
  -- One by one, as in lock_consumers. Never waits: the writes of other consumers do not wait for this one.
  select array_agg(c.id order by place), array_agg(c.project_id order by place), array_agg(c.user_id order by place), array_agg(c.consumer_type_id order by place)
  into ids, projects, users, types
  from (select * from unnest(uuids, expects) with ordinality as _(uuid, expected, place) order by uuid) named
  left join lateral (
    select * from consumers c where c.uuid = named.uuid and named.expected is not null for no key update skip locked
  ) c on c.expires_at is null and c.reservation_id is null and named.expected in (-1, c.generation);
end $$;
