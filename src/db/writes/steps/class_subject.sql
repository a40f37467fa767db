-- The subject under which the ledger indexes a resource class. Null for those that nearly every host has: they are found by scanning,
-- because an index row for each would slow down every claim.
create or replace function class_subject(class text) returns uuid language sql immutable as $$
  select case when class not in ('VCPU', 'MEMORY_MB', 'DISK_GB') then md5('class:' || class)::uuid end
$$;
