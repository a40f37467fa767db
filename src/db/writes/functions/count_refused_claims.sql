-- Adds numbers of refused claims, by code, to those of this minute: in the order of the codes, so that gateways that add at the same time do not deadlock.
create or replace function count_refused_claims(counts jsonb) returns void language sql as $$
  insert into refused_claims (at, code, count)
  select date_trunc('minute', now()), given.key, given.value::bigint from jsonb_each_text(counts) given order by given.key
  on conflict (at, code) do update set count = refused_claims.count + excluded.count
$$;
