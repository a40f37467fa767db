// The headers of a request, as every method of authentication sees them.

/** Headers of a request by lower-case name, as Node gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;
