// Static tokens: their form, and the hash under which they are stored. A token is 256 random bits, so nobody can find it from its hash, however fast the hash
// is. Therefore the hash is a plain SHA-256, and tokens of another form, which a person might have chosen, are not accepted.
import { createHash, randomBytes } from 'node:crypto';

/** Programs that look for leaked secrets recognize a token by this prefix. */
const prefix = 'pgw_';
const form = /^pgw_[A-Za-z0-9_-]{43}$/;

/** A new token. */
export function createToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Whether a text is meant as a static token, valid or not. */
export function isStaticToken(text: string): boolean {
  return text.startsWith(prefix);
}

/** The hash of a token, in hexadecimal; null for a text that is not a token. */
export function hashOfToken(text: string): string | null {
  return form.test(text) ? createHash('sha256').update(text).digest('hex') : null;
}
