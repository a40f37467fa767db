// The rows in requests of imports, from another service or from an export (functions/import_*.sql).
import type { CompleteInventory } from '../../domain/inventory.ts';
import type { Provider } from '../../domain/provider.ts';

/** A record to store unless its uuid or name exists; without a uuid it gets that of the provider of its name, or a new one. */
export interface NewRecord {
  readonly kind: string;
  readonly name: string;
  readonly uuid: string | null;
  readonly body: object;
  readonly updatedAt?: string;
}

/** A program on a host, as read from an export. */
export interface ImportedService {
  readonly host: string;
  readonly program: string;
  readonly version: number;
  readonly disabled: boolean;
  readonly disabledReason: string | null;
  readonly forcedDown: boolean;
  readonly updatedAt: string;
}

/** When a row was written first and last, as read from an export. */
export interface ImportedTimes {
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** A provider of another service, or of an export, which has all its columns. */
export type ImportedProvider = Pick<Provider, 'uuid' | 'name' | 'generation'> &
  Partial<Omit<Provider, 'id' | 'parentId' | 'rootId'>> & {
    readonly parent: string | null;
    readonly inventories: readonly CompleteInventory[];
    readonly traits: readonly string[];
    readonly aggregates: readonly string[];
    readonly devices?: readonly { readonly address: string }[];
  };
