-- Replaces up to `most` rows of project_usages that writes have appended, and the sums of the same projects and users, by their sums. Returns whether there may be
-- more to do. No write waits for it, and every snapshot has either the rows or their sums. One gateway is enough, so others do not wait.
create or replace function keep_project_usages(most int) returns boolean language plpgsql as $$
declare
  has_more boolean;
begin
  if not pg_try_advisory_xact_lock(8778007, hashtext('project_usages'::regclass::oid::text)) then
    return false;
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
