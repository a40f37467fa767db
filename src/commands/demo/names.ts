// Makes the demo cloud the same everywhere: its apparent randomness is a digest of names. No clock, no random numbers.
import { createHash } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(`placement-gateway demo: ${text}`).digest();

/** The uuid for a name, marked as derived from a name (version 8). */
export function uuidOf(name: string): string {
  const hex = digest(name).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A number from 0 (inclusive) to 1 (exclusive) for a named decision. */
export function fractionOf(decision: string): number {
  return digest(decision).readUInt32BE(0) / 2 ** 32;
}
