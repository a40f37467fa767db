// The text of cursors: opaque to callers, and self-contained, so that any gateway of the database can read the cursors of another. The code that makes a
// cursor knows its values.
const version = 1;

/** `kind`: the list and its order, so that no other list accepts the cursor. */
export function renderCursorOf(kind: string, values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([version, kind, ...values])).toString('base64url');
}

/** The values of a cursor of this kind; null for any other text. */
export function readCursorOf(kind: string, cursor: string, maxLength: number): readonly unknown[] | null {
  const [found, ...values] = partsOf(cursor, maxLength);
  return found === kind ? values : null;
}

/** Why a text is not a cursor of this kind: it may be malformed, or belong to another list. */
export function explainCursor(name: string, kind: string, cursor: string, maxLength: number): string {
  const [own, other] = [listOf(kind), listOf(partsOf(cursor, maxLength)[0])];
  if (own !== null && other !== null && own !== other) return `${name} is a cursor of ${other}, not of ${own}`;
  return own === kind ? `${name} is not a cursor of ${own}` : `${name} is not a cursor of this list in this order`;
}

/** The kind of a cursor and its values; empty for a malformed cursor. */
function partsOf(cursor: string, maxLength: number): readonly unknown[] {
  if (cursor.length > maxLength || !/^[\w-]+$/.test(cursor)) return [];
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) && parts[0] === version ? parts.slice(1) : [];
  } catch {
    return [];
  }
}

/** The name of the list, with which a kind begins; the order follows. */
function listOf(kind: unknown): string | null {
  return (typeof kind === 'string' && /^[a-zA-Z]{1,40}(?![a-zA-Z])/.exec(kind)?.[0]) || null;
}
