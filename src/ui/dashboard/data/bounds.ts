// The bounds of the contract that pages must know before they ask. A test compares them with domain/limits.ts, which pages do not load.
export const bounds = { mapClasses: 20, filterKeys: 1000, pageSize: 1000, writeConsumers: 1000 } as const;
