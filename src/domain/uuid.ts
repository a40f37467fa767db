// Parses uuids to one canonical spelling, so that behind the API two are equal exactly if their texts are.
// Ignores version and variant bits: Placement never checked them, and operators use uuids of their own making.

declare const uuidBrand: unique symbol;

/** A canonical uuid: lower case with dashes. */
export type Uuid = string & { readonly [uuidBrand]: true };

const spelling = /^([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})$/i;

/** Parses whatever Placement accepts as the uuid of a consumer or an aggregate, and stores as it was sent. */
export const parseLooseUuid = (text: string): Uuid | null => parseUuid(text.replace(/urn:|uuid:|[{}-]/gi, ''));

/**
 * Parses 32 hexadecimal digits of any case, with no dashes or all four.
 * Null for anything else: braces, `urn:uuid:`, surrounding space, dashes in other places.
 */
export function parseUuid(text: string): Uuid | null {
  const match = spelling.exec(text);
  if (match === null) return null;
  return `${match[1]}-${match[3]}-${match[4]}-${match[5]}-${match[6]}`.toLowerCase() as Uuid;
}
