// Makes the demo cloud the same everywhere: what looks random in it is a digest of a name. No clock, no random numbers.
import { createHash } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(`placement-gateway demo: ${text}`).digest();

/** The uuid of what has this name, marked as one made from a name (version 8). */
export function uuidOf(name: string): string {
  const hex = digest(name).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A number from 0 to below 1 for a decision of this name. */
export function fractionOf(decision: string): number {
  return digest(decision).readUInt32BE(0) / 2 ** 32;
}
