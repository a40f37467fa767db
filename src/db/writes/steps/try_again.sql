-- Ends a write that would have to lock something out of order. The caller repeats it (40001); it then finds the new state from the start.
create or replace function try_again(reason text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'serialization_failure', message = reason;
end $$;
