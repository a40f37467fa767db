// Static tokens: their form, and the hash under which they are stored. A token is 256 random bits, so that nobody can guess one whose hash is known,
// however fast the hash: that is why it is a plain SHA-256, and why tokens of another form, which a person might have chosen, are not accepted.
import { createHash, randomBytes } from 'node:crypto';

/** By the prefix, programs that look for leaked secrets recognize a token. */
const prefix = 'pgw_';
const form = /^pgw_[A-Za-z0-9_-]{43}$/;

/** A new token. */
export function createToken(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Whether a text is meant as such a token, be it a valid one or not. */
export function isStaticToken(text: string): boolean {
  return text.startsWith(prefix);
}

/** The hash of a token, in hexadecimal; null for a text that is no token. */
export function hashOfToken(text: string): string | null {
  return form.test(text) ? createHash('sha256').update(text).digest('hex') : null;
}
