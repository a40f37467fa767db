// The commands for static tokens: add, list, revoke. They only change the file; gateways notice within seconds.
import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { createToken, hashOfToken } from '../auth/callers/token.ts';
import { changeTokenFile, nameSchema, readTokenFile, roleSchema, type TokenRecord } from '../auth/token-file.ts';

const day = 24 * 60 * 60 * 1000;
const inDays = /^(\d{1,5})d$/;
const onDay = /^\d{4}-\d\d-\d\d$/;
const atMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;
/** RFC 3339 has years of four digits. */
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** What a new token says of its caller. */
export interface TokenRequest {
  readonly user: string;
  readonly project: string | null;
  readonly roles: readonly string[];
  /** RFC 3339; null for never. */
  readonly expiresAt: string | null;
}

/** Adds a token to the file, which is created if necessary. Returns the token, which is stored nowhere, and its record. */
export async function addToken(path: string, request: TokenRequest): Promise<{ token: string; added: TokenRecord }> {
  const token = createToken();
  const hash = hashOfToken(token);
  if (hash === null) throw new Error('a new token has the wrong form');
  const { user, project, roles, expiresAt } = request;
  const added = { id: randomBytes(6).toString('hex'), hash, user, project, roles, createdAt: new Date().toISOString(), expiresAt };
  await changeTokenFile(path, (tokens) => [...tokens, added], { create: true });
  return { token, added };
}

/** The tokens of the file as lines of a table, in the order in which they were added. */
export async function listTokens(path: string, now = Date.now()): Promise<string[]> {
  const { tokens } = await readTokenFile(path);
  const rows = tokens.map(({ id, user, project, roles, createdAt, expiresAt }) => [
    id,
    user,
    project ?? '-',
    roles.join(',') || '-',
    createdAt,
    expiresAt === null ? 'never' : Date.parse(expiresAt) <= now ? `${expiresAt} (expired)` : expiresAt,
  ]);
  const table = [['id', 'user', 'project', 'roles', 'created', 'expires'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The tokens of the file, without their hashes. */
export async function describeTokens(path: string): Promise<Omit<TokenRecord, 'hash'>[]> {
  const { tokens } = await readTokenFile(path);
  return tokens.map(({ hash: _, ...shown }) => shown);
}

/** Removes a token from the file. */
export async function revokeToken(path: string, id: string): Promise<void> {
  await changeTokenFile(path, (tokens) => {
    const kept = tokens.filter((token) => token.id !== id);
    // The message does not repeat the argument, because it may be the token itself.
    if (kept.length === tokens.length) throw new Error('unknown token id: placement-gateway token list shows the ids');
    return kept;
  });
}

/** The parsers of the options of `add`. They throw InvalidArgumentError. */
export const tokenOptions = {
  name(text: string): string {
    return checked(nameSchema.safeParse(text), text);
  },
  role(text: string, before: readonly string[] = []): readonly string[] {
    return [...new Set([...before, checked(roleSchema.safeParse(text), text)])];
  },
  /** An object, since commander takes null for an option without a value. */
  expiry(text: string): { readonly at: string | null } {
    if (text === 'never') return { at: null };
    const moment = momentOf(text);
    if (Number.isNaN(moment)) throw new InvalidArgumentError('It must be days such as 90d, a day or moment such as 2027-01-31, or never.');
    if (moment <= Date.now()) throw new InvalidArgumentError('It is in the past.');
    if (moment > lastMoment) throw new InvalidArgumentError('It is after the year 9999: use never.');
    return { at: new Date(moment).toISOString() };
  },
};

function checked(
  { data, error }: { data?: string | undefined; error?: { issues: { message: string }[] } | undefined },
  text: string,
): string {
  if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
  return data ?? text;
}

function momentOf(text: string): number {
  const [, days] = inDays.exec(text) ?? [];
  if (days !== undefined) return Date.now() + Number(days) * day;
  if (!onDay.test(text) && !atMoment.test(text)) return Number.NaN;
  // Date.parse reads the 30th of February as the 2nd of March.
  const date = text.slice(0, 'yyyy-mm-dd'.length);
  const midnight = Date.parse(date);
  return Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date) ? Number.NaN : Date.parse(text);
}
