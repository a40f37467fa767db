// Usages of projects as rows that are to be summed (schema/usages.ts): few, however many consumers there are.

/**
 * A table of SQL with (project_id, user_id, consumer_type_id, resource_class_id, amount); rows without a class count consumers. The condition is always true: it
 * lets the index of owners, which begins with `is_sum`, be used.
 */
export const usageRows = `(
  select u.project_id, u.user_id, u.consumer_type_id, u.resource_class_id, u.amount from project_usages u where u.is_sum in (true, false)
)`;
