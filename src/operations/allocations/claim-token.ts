// A candidate as a string. Self-contained, so that it works in any gateway and at any time. It is neither secret nor a reservation:
// its content is checked like any other input when it is used.

import type { AllocationInput } from '../../domain/allocation.ts';
import { limits } from '../../domain/limits.ts';
import { parseUuid } from '../../domain/uuid.ts';

const prefix = 'c1.';
const maxTokenLength = limits.claimTokenLength;
const maxResources = limits.claimTokenAmounts;
const alphabet = /^[A-Za-z0-9_-]+$/;

/** The token of these amounts: JSON, built by hand because an answer has thousands. Neither uuids nor names of classes need quoting. */
export function renderClaimToken(allocations: readonly AllocationInput[]): string {
  const amounts = allocations.map(
    ({ resourceProvider, resources }) =>
      `["${resourceProvider}"${resources.map(({ resourceClass, amount }) => `,"${resourceClass}",${amount}`).join('')}]`,
  );
  return prefix + Buffer.from(`[${amounts.join()}]`, 'latin1').toString('base64url');
}

/** The content of a token; null when the text is not a token. Does not check amounts and names. */
export function parseClaimToken(token: string): AllocationInput[] | null {
  // The decoder skips characters outside the alphabet, so it would accept text that is not a token.
  if (!token.startsWith(prefix) || token.length > maxTokenLength || !alphabet.test(token.slice(prefix.length))) return null;
  try {
    const amounts: unknown = JSON.parse(Buffer.from(token.slice(prefix.length), 'base64url').toString());
    return Array.isArray(amounts) && amounts.length > 0 ? amounts.map(parseAllocation) : null;
  } catch {
    return null;
  }
}

function parseAllocation(amounts: unknown): AllocationInput {
  const [provider, ...rest] = amounts as unknown[];
  const uuid = typeof provider === 'string' ? parseUuid(provider) : null;
  if (uuid === null) throw new TypeError('no provider');
  const resources = [];
  for (let place = 0; place < rest.length; place += 2) {
    const [resourceClass, amount] = [rest[place], rest[place + 1]];
    if (typeof resourceClass !== 'string' || typeof amount !== 'number') throw new TypeError('no amount of a class');
    resources.push({ resourceClass, amount });
  }
  if (resources.length === 0 || resources.length > maxResources) throw new TypeError('nothing, or too much, from one provider');
  return { resourceProvider: uuid, resources };
}
