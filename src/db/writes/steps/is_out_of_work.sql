-- Whether a program (service_state) must get no new work.
create or replace function is_out_of_work(service jsonb) returns boolean language sql immutable as $$
  select coalesce((service ->> 'disabled')::boolean, false) or coalesce((service ->> 'forcedDown')::boolean, false)
$$;
