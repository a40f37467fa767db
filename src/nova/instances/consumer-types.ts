// What Nova's consumers are called in placement.

/** An instance, which holds its resources on the host where it runs, or to which it is moving. */
export const instanceType = 'INSTANCE';
/** A move under way, which holds what is still taken at its source. */
export const migrationType = 'MIGRATION';
