-- Changes the mode of the bridge if it is `from_mode`, and returns whether it did. Waits for all writes that have begun, and for no other one.
-- patience: for a mode in which writes wait, how long. carrier: the epoch of the process that completes a switch; it has carried over everything. A switch is
-- completed only in time, when nothing is noted any more and every gateway that lives knows that it is under way.
create or replace function change_bridge(from_mode text, to_mode text, patience interval, carrier bigint, feed_cursor text) returns boolean
language plpgsql as $$
declare
  known bridge;
begin
  perform pg_advisory_xact_lock(8778008, hashtext('bridge'::regclass::oid::text));
  select * into known from bridge;
  if known.mode is distinct from from_mode or carrier <> known.carrier_epoch then
    return false;
  end if;
  if carrier is not null and (
    known.until < clock_timestamp() or exists (select from bridge_notes)
    or exists (select from bridge_gateways where epoch < known.epoch and seen_at > clock_timestamp() - interval '3 seconds')) then
    return false;
  end if;
  update bridge set
    mode = to_mode, epoch = epoch + 1, until = clock_timestamp() + patience, cursor = coalesce(feed_cursor, cursor),
    -- After a switch, each side counts generations of its own, or no longer does.
    compared_at = case when change_bridge.carrier is null then compared_at end;
  return true;
end $$;
