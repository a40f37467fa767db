-- Replaces up to `most` rows of project_usages that writes have appended, and the sums of the same projects and users, by their sums. Returns whether there may be
-- more to do. Nobody waits for it, and every snapshot has either the rows or their sums. One gateway is enough, so others do not wait.
-- In a database that is older than the table, it first adds what was there before. That writes of the set of functions before, which append nothing, have all
-- ended is certain after two minutes: no statement of a gateway takes that long. From then on the difference stays the same whatever is written, so
-- one snapshot tells it.
create or replace function keep_project_usages(most int) returns boolean language plpgsql as $$
declare
  has_more boolean;
begin
  if not pg_try_advisory_xact_lock(8778007, hashtext('project_usages'::regclass::oid::text)) then
    return false;
  end if;
  update change_feed f set usages_kept_since = now()
  where f.usages_kept_since is null and not exists (select from schema_versions v where v.applied_at > now() - interval '2 minutes');
  if found then
    insert into project_usages (project_id, user_id, consumer_type_id, resource_class_id, amount) select * from usage_differences();
  end if;
  with appended as materialized (
    select u.ctid as place, u.project_id, u.user_id from project_usages u where not u.is_sum order by u.project_id, u.user_id limit most
  ), rows_gone as (
    delete from project_usages u where u.ctid = any(array(select place from appended)) returning u.*
  ), sums_gone as (
    delete from project_usages u using (select distinct project_id, user_id from appended) owner
    where u.is_sum and u.project_id = owner.project_id and u.user_id = owner.user_id
    returning u.*
  ), folded as (
    insert into project_usages (project_id, user_id, consumer_type_id, resource_class_id, amount, is_sum)
    select project_id, user_id, consumer_type_id, resource_class_id, sum(amount), true
    from (select * from rows_gone union all select * from sums_gone) gone
    group by 1, 2, 3, 4 having sum(amount) <> 0
  )
  select count(*) = most into has_more from appended;
  return has_more;
end $$;
