// The loader of services by their public keys: one statement for each batch.
import { selectServicesByKeys } from '../../db/services.ts';
import type { Db } from '../../db/sql/client.ts';
import { keyOfService } from '../../domain/service.ts';
import { loadOne } from '../request/keyed-loaders.ts';

/** Loaders of one request. */
export function createServiceLoaders(db: Db) {
  return {
    serviceByKey: loadOne((keys: readonly string[]) => selectServicesByKeys(db, keys.map(partsOfKey)), keyOfService),
  };
}

function partsOfKey(key: string): { readonly host: string; readonly program: string } {
  const [program = '', ...host] = key.split('/');
  return { program, host: host.join('/') };
}
