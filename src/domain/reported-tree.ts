// What a host's report is compared with: its tree as it is, and what it said before that is no resource.
import type { InventoryRecord } from './inventory.ts';

/** A provider with everything of it. */
export interface ProviderState {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** Uuid; null for a root. */
  readonly parent: string | null;
  readonly inventories: Readonly<Record<string, InventoryRecord>>;
  /** Units in use of each class that it has. */
  readonly used: Readonly<Record<string, number>>;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

/** Facts under a name, kept for another service. */
export interface KeptRecord {
  readonly uuid: string;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A device as it was reported. */
export type KeptDevice = Readonly<Record<string, unknown>> & { readonly address: string };

export interface ReportedTree {
  /** Parents before their children; empty when there is no such root. */
  readonly providers: readonly ProviderState[];
  readonly devices: readonly KeptDevice[];
  /** Those of the given uuid or name, the one of the uuid first. */
  readonly records: readonly KeptRecord[];
  /** Classes of the pools that serve the tree. */
  readonly sharedClasses: readonly string[];
  /** Consumers of the given type that hold something in the tree. */
  readonly holders: number;
  /** Lowest version of the given program anywhere; null when it runs nowhere. */
  readonly minimumVersion: number | null;
}

export interface TreeReporter {
  /** Of the root; null when the reporter does not know it. */
  readonly uuid: string | null;
  /** Of the root, and of the record. */
  readonly name: string;
  readonly recordKind: string;
  readonly consumerType: string;
  readonly program: string;
}
