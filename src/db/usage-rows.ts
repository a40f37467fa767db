// Usages of projects as rows that are to be summed (schema/usages.ts): few, however many consumers there are.

const isKept = `coalesce((select f.usages_kept_since is not null from change_feed f), false)`;

/**
 * A table of SQL with (project_id, user_id, consumer_type_id, resource_class_id, amount); rows without a class count consumers. Until the sums of a
 * database that was migrated are complete, it is made of the consumers and allocations themselves: only one of the two is read.
 */
export const usageRows = `(
  select u.project_id, u.user_id, u.consumer_type_id, u.resource_class_id, u.amount from project_usages u where u.is_sum in (true, false) and ${isKept}
  union all
  select c.project_id, c.user_id, c.consumer_type_id, null, 1 from consumers c where not ${isKept}
  union all
  select c.project_id, c.user_id, c.consumer_type_id, a.resource_class_id, a.used
  from consumers c join allocations a on a.consumer_id = c.id where not ${isKept}
)`;
