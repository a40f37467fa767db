// The two ways in which callers give an object of Nova: as the versioned object that Nova itself passes on, or field by field. Never both.

/** Exactly one of the two, as enforced by the contract. */
export type Given<Fields> =
  | { readonly object: string; readonly fields?: undefined }
  | { readonly object?: undefined; readonly fields: Fields };
