-- Whether a quota is for an aggregate: one that counts, or a default for projects to come. Only a write of quotas changes that, and it happens alone (fence_write).
create or replace function has_zones() returns boolean language sql stable as $$
  select exists (select from quota_uses q where q.aggregate_id is not null)
    or exists (select from records r where r.kind = 'default_quotas' and r.body @? '$.quotas[*].aggregate ? (@ != null)')
$$;
