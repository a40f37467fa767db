// What Nova's consumers are called in placement.

/** An instance, which holds its resources on the host where it runs, or to which it is moving. */
export const instanceType = 'INSTANCE';
/** A migration in progress, which holds the source allocations of its instance. */
export const migrationType = 'MIGRATION';
