// How uuids are read and written. Two spellings of one uuid are one key, so everything past the edge holds the one spelling made here.
// Does not look at version or variant bits: Placement never did, and operators use uuids of their own making.

declare const uuidBrand: unique symbol;

/** A uuid in lower case with dashes: two are equal exactly when their text is. */
export type Uuid = string & { readonly [uuidBrand]: true };

const spelling = /^([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})$/i;

/**
 * Reads 32 hexadecimal digits of any case, without dashes or with all four of them.
 * Null for anything else: braces, `urn:uuid:`, space around it, dashes in other places.
 */
export function parseUuid(text: string): Uuid | null {
  const match = spelling.exec(text);
  if (match === null) return null;
  return `${match[1]}-${match[3]}-${match[4]}-${match[5]}-${match[6]}`.toLowerCase() as Uuid;
}
