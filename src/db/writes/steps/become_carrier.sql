-- Makes a process the one that carries changes over, for some seconds from now on, unless another one is. Returns its epoch; null if another one is. What the previous one
-- has begun to write is complete by then, and it writes nothing more (fence_write).
create or replace function become_carrier(process uuid, term interval) returns bigint language plpgsql as $$
declare
  known bridge;
begin
  select * into known from bridge;
  if known.carrier is distinct from process then
    if known.carrier_until > now() then
      return null;
    end if;
    perform pg_advisory_xact_lock(8778008, hashtext('bridge'::regclass::oid::text));
  end if;
  update bridge b set carrier = process, carrier_until = now() + term, carrier_epoch = b.carrier_epoch + (b.carrier is distinct from process)::int
  where b.carrier = process or b.carrier_until is null or b.carrier_until <= now();
  return (select carrier_epoch from bridge where carrier = process);
end $$;
