// The types of Nova's consumers.

/** An instance, which has allocations on the host where it runs, or to which it is moving. */
export const instanceType = 'INSTANCE';
/** A migration in progress, which has the source allocations of its instance. */
export const migrationType = 'MIGRATION';
/** The usage of instances that have no allocations yet, on a node that was known from an old record. */
export const untrackedType = 'UNTRACKED';
