-- Waits, with nothing locked, until no other write holds these consumers; then the write starts again.
create or replace function await_consumers(uuids uuid[]) returns void language plpgsql as $$
begin
  perform from consumers c where c.uuid = any(uuids) order by c.uuid for no key update;
  perform try_again('consumers were being written');
end $$;
