// The text of cursors: opaque to callers, and self-contained, so that any gateway of the database reads what another has given. Who makes one knows what it holds.
const version = 1;

/** `kind`: what the cursor is of, so that no other list takes it. */
export function renderCursorOf(kind: string, values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([version, kind, ...values])).toString('base64url');
}

/** What a cursor of this kind holds; null for any other text. */
export function readCursorOf(kind: string, cursor: string, maxLength: number): readonly unknown[] | null {
  if (cursor.length > maxLength || !/^[\w-]+$/.test(cursor)) return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  return Array.isArray(parts) && parts[0] === version && parts[1] === kind ? parts.slice(2) : null;
}
