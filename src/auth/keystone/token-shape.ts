// What tokens of Keystone look like: a guess that only decides which callers wait for which. Only Keystone knows whether a token is valid, and a cloud may
// have a token provider of its own.

/** The version of Fernet with the first bytes of a time before the year 2106, as base64url. */
const fernet = /^gAAAAA[\w-]+={0,2}$/;
/** Version, time, initialization vector and signature, around blocks of the cipher. */
const fernetFrame = 1 + 8 + 16 + 32;
const fernetBlock = 16;
/** A header, which is an object in JSON, a payload and a signature. */
const jws = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;
/** The tokens of an older provider of Keystone. */
const uuid = /^[0-9a-f]{32}$/;

/** The form of a token; `other` for forms that only another token provider issues. */
export type TokenShape = 'fernet' | 'jws' | 'uuid' | 'other';

export function shapeOf(token: string): TokenShape {
  if (jws.test(token)) return 'jws';
  if (uuid.test(token)) return 'uuid';
  if (!fernet.test(token)) return 'other';
  const blocks = Math.floor((token.replace(/=+$/, '').length * 3) / 4) - fernetFrame;
  return blocks > 0 && blocks % fernetBlock === 0 ? 'fernet' : 'other';
}
