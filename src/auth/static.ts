// Identifies callers by the tokens of a file, which is read again when it changes. An unusable file changes nothing: the tokens read before stay valid, and the
// log says so.
import { type Identity, plainIdentity } from '../domain/identity.ts';
import { tokenOf } from './callers/headers.ts';
import type { AuthenticationLog, CallersRequest } from './callers/method.ts';
import { hashOfToken } from './callers/token.ts';
import { keepLooking, stampOfFile } from './lookout.ts';
import { readTokenFile, type TokenRecord } from './token-file.ts';

/** The tokens of a file as a method. */
export interface FileMethod {
  authenticate(request: Pick<CallersRequest, 'headers'>): Identity | null;
  close(): void;
}

/** Reads the file. Throws TokenFileError if it cannot be used. */
export async function authenticateByFile(path: string, log: AuthenticationLog): Promise<FileMethod> {
  const first = await readTokenFile(path);
  let entries = entriesByHash(first.tokens);
  if (entries.size === 0) log.warn(`the file of tokens ${path} has no tokens: nobody may do anything`);

  const readAgain = async () => {
    try {
      const read = await readTokenFile(path);
      entries = entriesByHash(read.tokens);
      log.info(`the file of tokens ${path} was read again: ${entries.size} tokens`);
      return read.stamp;
    } catch (error) {
      log.error(`${(error as Error).message}; the tokens read before stay valid`);
      return undefined;
    }
  };
  const stopLooking = keepLooking(() => stampOfFile(path), first.stamp, readAgain);

  return {
    authenticate({ headers }) {
      const token = tokenOf(headers);
      const hash = token === null ? null : hashOfToken(token);
      const identity = hash === null ? undefined : entries.get(hash);
      return identity && Date.now() < (identity.expiresAt ?? Number.POSITIVE_INFINITY) ? identity : null;
    },
    close: stopLooking,
  };
}

function entriesByHash(tokens: readonly TokenRecord[]): Map<string, Identity> {
  return new Map(
    tokens.map(({ hash, user, project, roles, expiresAt }) => [
      hash,
      { ...plainIdentity('static', user, project, roles), ...(expiresAt !== null && { expiresAt: Date.parse(expiresAt) }) },
    ]),
  );
}
