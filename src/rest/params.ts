// Path parameters as input of the operations. A malformed uuid is treated as unknown.
import { parseUuid } from '../domain/uuid.ts';
import { getListedProvider } from '../operations/unpaged/providers.ts';
import type { Call } from './call.ts';
import { RestError } from './rest-error.ts';

/** The canonical uuid of the provider in the path. Throws 404 if it is malformed. */
export function providerOf({ params: { uuid = '' } }: Pick<Call, 'params'>): string {
  const canonical = parseUuid(uuid);
  if (canonical) return canonical;
  throw new RestError(404, `No resource provider with uuid ${uuid} found`);
}

/** Throws 404 unless the provider in the path exists. */
export async function requireProvider(call: Pick<Call, 'scope' | 'params'>): Promise<void> {
  await getListedProvider(call.scope, providerOf(call));
}

/** The path parameter that is a name. */
export function nameOf({ params: { name = '' } }: Call): string {
  return name;
}
