// A provider that hosts share, such as a pool of storage.
import type { Amounts } from '../formats/bar-model.ts';

export interface Pool {
  readonly uuid: string;
  readonly name: string;
  /** It serves their hosts. */
  readonly aggregates: readonly { readonly uuid: string }[];
  readonly inventories: readonly Amounts[];
}
