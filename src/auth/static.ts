// Identifies callers by the tokens of a file, which is read again when it changes. A file that cannot be used changes nothing: the tokens read before
// stay, and the log says so.
import { stat } from 'node:fs/promises';
import { type Identity, plainIdentity } from '../domain/identity.ts';
import { tokenOf } from './headers.ts';
import type { Authentication, AuthenticationLog } from './method.ts';
import { hashOfToken } from './token.ts';
import { readTokenFile, stampOf, type TokenRecord } from './token-file.ts';

/** Milliseconds between two looks at the file. Looking works where notices of changes do not: network file systems, mounted secrets. */
const lookPause = 1000;

interface Entry {
  readonly identity: Identity;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Reads the file; throws TokenFileError when it cannot be used. */
export async function authenticateByFile(path: string, log: AuthenticationLog): Promise<Authentication> {
  const first = await readTokenFile(path);
  let { stamp } = first;
  let entries = entriesByHash(first.tokens);
  if (entries.size === 0) log.warn(`the file of tokens ${path} has no tokens: nobody may do anything`);

  const look = async () => {
    let found: string;
    try {
      found = stampOf(await stat(path, { bigint: true }));
    } catch (error) {
      found = String((error as NodeJS.ErrnoException).code);
    }
    if (found === stamp) return;
    stamp = found;
    try {
      const read = await readTokenFile(path);
      stamp = read.stamp;
      entries = entriesByHash(read.tokens);
      log.info(`the file of tokens ${path} was read again: ${entries.size} tokens`);
    } catch (error) {
      log.error(`${(error as Error).message}; the tokens read before stay valid`);
    }
  };
  let isClosed = false;
  let timer: NodeJS.Timeout;
  const lookOn = () => {
    if (!isClosed) timer = setTimeout(() => void look().finally(lookOn), lookPause).unref();
  };
  lookOn();

  return {
    authenticate(headers) {
      const token = tokenOf(headers);
      const hash = token === null ? null : hashOfToken(token);
      const entry = hash === null ? undefined : entries.get(hash);
      return entry && Date.now() < entry.expiresAt ? entry.identity : null;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

function entriesByHash(tokens: readonly TokenRecord[]): Map<string, Entry> {
  return new Map(
    tokens.map(({ hash, user, project, roles, expiresAt }) => [
      hash,
      {
        identity: plainIdentity('static', user, project, roles),
        expiresAt: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
      },
    ]),
  );
}
