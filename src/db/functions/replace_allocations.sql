-- Replaces everything that the given consumers hold, in one transaction: replaceAllocations, moveAllocations, releaseAllocations.
-- request: `consumers` as for lock_consumers, `kind` of the event. Refusals: those of lock_consumers and write_allocations.
-- Returns what write_allocations does, and the event; no event when there was nothing to release.
create or replace function replace_allocations(request jsonb) returns jsonb language plpgsql as $$
declare
  locked record;
  answer jsonb;
  event_id bigint;
begin
  select * into locked from lock_consumers(request -> 'consumers');
  answer := write_allocations(request -> 'consumers', locked.ids, locked.created);
  if answer #> '{changes,consumers}' <> '{}' then
    event_id := record_event(request ->> 'kind', request -> 'by', answer -> 'changes',
      array(select jsonb_array_elements_text(answer -> 'projects')));
  end if;
  return answer - 'projects' || jsonb_build_object('eventId', event_id);
end $$;
