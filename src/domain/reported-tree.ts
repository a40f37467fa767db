// The state with which a host's report is compared: the current tree, and what was last reported in addition to it.
import type { InventoryRecord } from './inventory.ts';

/** A provider with everything that belongs to it. */
export interface ProviderState {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** Uuid; null for a root. */
  readonly parent: string | null;
  readonly inventories: Readonly<Record<string, InventoryRecord>>;
  /** Usage by class, in units. */
  readonly used: Readonly<Record<string, number>>;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

/** Named facts kept for another service. */
export interface KeptRecord {
  readonly uuid: string;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether it was last written so long ago that even an unchanged report is written. */
  readonly isStale: boolean;
  /** Differs after each write. */
  readonly version: string;
}

/** A device as reported. */
export type KeptDevice = Readonly<Record<string, unknown>> & { readonly address: string };

export interface ReportedTree {
  /** Parents before children; empty if the root does not exist. */
  readonly providers: readonly ProviderState[];
  readonly devices: readonly KeptDevice[];
  /** The records with the given uuid or name; the one with the uuid comes first. */
  readonly records: readonly KeptRecord[];
  /** Classes that sharing providers offer to the tree. */
  readonly sharedClasses: readonly string[];
  /** The classes of which reservations keep something, by the uuid of the provider. */
  readonly reserved: Readonly<Record<string, readonly string[]>>;
  /** The number of consumers of the given type with allocations in the tree. */
  readonly holders: number;
  /** The given program on its host; null if unknown. */
  readonly service: { readonly disabled: boolean; readonly forcedDown: boolean } | null;
}

export interface TreeReporter {
  /** The uuid of the root; null if the reporter does not know it. */
  readonly uuid: string | null;
  /** The name of the root and of the record. */
  readonly name: string;
  readonly recordKind: string;
  readonly consumerType: string;
  /** The program that reports, and where it runs. */
  readonly program: string;
  readonly host: string;
}
