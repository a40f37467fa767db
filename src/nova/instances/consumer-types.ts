// What Nova's consumers are called in placement.

/** An instance and what it holds where it runs, or where it goes. */
export const instanceType = 'INSTANCE';
/** A move under way and what is still held at its source. */
export const migrationType = 'MIGRATION';
