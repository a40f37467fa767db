// How callers describe something of Nova's: as the versioned object that Nova itself passes on, or field by field. Never both.

/** Exactly one of the two; the contract sees to that. */
export type Given<Fields> =
  | { readonly object: string; readonly fields?: undefined }
  | { readonly object?: undefined; readonly fields: Fields };
