-- Notes the objects that a request of a gateway to the other Placement may change, if that one leads: no switch is completed before they are read back. Returns the
-- ids of the notes; null if the mode is another one.
create or replace function note_objects(gateway uuid, nouns text[], keys text[]) returns bigint[] language plpgsql as $$
declare
  ids bigint[];
begin
  perform pg_advisory_xact_lock_shared(8778008, hashtext('bridge'::regclass::oid::text));
  if exists (select from bridge where mode = 'following' or (mode = 'toLeading' and until < clock_timestamp())) then
    with noted as (
      insert into bridge_notes (noun, key, gateway) select noun, key, note_objects.gateway from unnest(nouns, keys) as _(noun, key) returning id
    )
    select array_agg(id) into ids from noted;
  end if;
  return ids;
end $$;
