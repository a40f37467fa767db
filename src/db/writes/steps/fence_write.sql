-- Whether this write is allowed while a bridge to another Placement is there. Raises RV001, with the mode as the detail, unless this ledger leads. Waits for a change
-- of the mode that is being made, and lets none happen before this write has ended. What carries over changes of the other side writes instead while it leads:
-- `request` then has `carrier`, its epoch, and a process that has been replaced is refused.
-- Derived values are those of this ledger, whichever side leads: mend_derived, which alone has `contested`, is always allowed.
-- A write of quotas happens alone: it waits for all that have begun, and the others for it, so that it can count what is used.
create or replace function fence_write(request jsonb) returns void language plpgsql as $$
declare
  known record;
begin
  if request ->> 'kind' = 'REPLACE_QUOTAS'
     or request ? 'records' and request -> 'records' @? '$[*] ? (@.kind == "project_quotas" || @.kind == "default_quotas")' then
    perform pg_advisory_xact_lock(8778008, hashtext('bridge'::regclass::oid::text));
  else
    perform pg_advisory_xact_lock_shared(8778008, hashtext('bridge'::regclass::oid::text));
  end if;
  select mode, carrier_epoch, until into known from bridge;
  if not found and not request ? 'carrier' or request ? 'contested' then
    return;
  elsif request ? 'carrier' then
    if known.mode in ('following', 'toLeading') and known.carrier_epoch = (request ->> 'carrier')::bigint then
      return;
    end if;
  -- A switch whose time is over cannot be completed any more, even if nobody has given it up yet.
  elsif known.mode in ('leading', 'ended') or (known.mode = 'toFollowing' and known.until < clock_timestamp()) then
    return;
  end if;
  raise sqlstate 'RV001' using message = 'this ledger follows another Placement', detail = 'bridge ' || coalesce(known.mode, 'ended');
end $$;
