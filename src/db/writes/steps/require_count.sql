-- Checks how many providers the caller expects a selection to match (`expectedCount`, if given). Refuses SELECTION_CONFLICT.
create or replace function require_count(request jsonb, matched bigint) returns void language plpgsql as $$
begin
  if matched <> (request ->> 'expectedCount')::bigint then
    perform refuse('SELECTION_CONFLICT', jsonb_build_object('expectedCount', request -> 'expectedCount', 'matchedCount', matched));
  end if;
end $$;
