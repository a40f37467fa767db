// A file of static tokens in a directory of its own, for a test file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { addToken } from '../../src/commands/token.ts';

/** The headers of a request, which may include its token. */
export type SentHeaders = Record<string, string>;

/** A path without a file yet; its directory is deleted at the end. Call it outside of tests. */
export function useTokensFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'placement-tokens-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'tokens.json');
}

/** Adds a token for a user with this name and these roles, by default in the project `operations` and without an expiry. */
export async function tokenFor(
  path: string,
  user: string,
  roles: readonly string[],
  more: { readonly project?: string | null; readonly expiresAt?: string } = {},
): Promise<string> {
  const { token } = await addToken(path, { user, project: 'operations', roles, expiresAt: null, ...more });
  return token;
}
