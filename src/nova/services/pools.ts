// Generic resource pools: resources outside a single host, such as a shared disk or the addresses of a network segment. A pool reports its own capacity, as a
// compute node does, and serves every host in one of its aggregates. Hosts whose disk is on a pool offer the disk themselves until the pool exists, and give
// it up in the transaction in which the pool begins to serve them (give_way_to_pools.sql).

import { randomUUID } from 'node:crypto';
import { type Problem, refusalOf, relabel } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { ShrunkInventory } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { sharingTrait } from '../../domain/provider.ts';
import type { ProviderState } from '../../domain/reported-tree.ts';
import { InputCheck, type InventoryInput } from '../../operations/request/input.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { type AppliedTree, findAppliedTree } from '../../operations/trees/provider-tree.ts';
import { keepUnchangedTree, readReportedTree } from '../../operations/trees/reports.ts';
import { ProviderTree } from '../trees/provider-tree.ts';
import { flushTree, isEdited, maxReportAttempts } from '../trees/tree-flush.ts';
import { ownerNova } from './owners.ts';

export interface PoolReport {
  /** If omitted, the uuid of the pool with this name, or a new one. */
  readonly uuid?: Optional<string>;
  readonly name: string;
  /** The complete set. */
  readonly inventories: readonly InventoryInput[];
  /** The complete set of uuids; unchanged if omitted. */
  readonly aggregates?: Optional<readonly string[]>;
  /** The complete set, in addition to the traits that mark a pool and its owner; unchanged if omitted. */
  readonly traits?: Optional<readonly string[]>;
  /** The trait of the owning service; OWNER_NOVA if omitted. */
  readonly owner?: Optional<string>;
}

export interface ReportedPool {
  /** Uuid. */
  readonly pool: string;
  /** Whether anything was written. */
  readonly changed: boolean;
  /** Inventories that are now smaller than their usage. */
  readonly warnings: readonly ShrunkInventory[];
}

/** The part of the result in addition to the changes of the pool. */
type OwnAnswer = Pick<ReportedPool, 'pool' | 'changed'>;

/** Pools have neither a record nor a service. */
const noRecord = { recordKind: '', consumerType: '', program: '', host: '' };

/**
 * Sets a pool to what it reports, creating it if needed, in one transaction; an unchanged report writes nothing. Shrinking below usage succeeds with
 * a warning. Refuses INVALID_INPUT, DUPLICATE, IN_USE, and PROVIDER_CONFLICT if other writes kept changing it.
 */
export async function reportPool(scope: RequestScope, report: PoolReport): Promise<ReportedPool> {
  const check = new InputCheck();
  check.name(['name'], report.name);
  check.inventories(['inventories'], report.inventories);
  check.traits(['traits'], report.traits ?? []);
  check.size(['aggregates'], report.aggregates ?? [], 0, limits.providerAggregates);
  if (report.owner && !report.owner.startsWith('OWNER_')) check.add(['owner'], 'owner must be the trait of an owner: OWNER_…');
  check.done();
  const first = await findAppliedTree(scope);
  if (first) return reportedBy(first);
  for (let attempt = 1; ; attempt++) {
    const { providers } = await readReportedTree(scope, { uuid: report.uuid ?? null, name: report.name, ...noRecord });
    refuseOthersName(report, providers[0]);
    const uuid = providers[0]?.uuid ?? report.uuid ?? randomUUID();
    const tree = ProviderTree.from(providers);
    editPool(tree, uuid, report);
    if (!isEdited(tree, uuid)) {
      const own: OwnAnswer = { pool: uuid, changed: false };
      const kept = await keepUnchangedTree(scope, uuid, own);
      return kept ? reportedBy(kept) : { ...own, warnings: [] };
    }
    const flushed = await relabel(
      () => flushTree(scope, tree, uuid, providers, { own: { pool: uuid, changed: true } satisfies OwnAnswer }),
      placeInReport,
    );
    if ('applied' in flushed) return reportedBy(flushed.applied);
    if (attempt === maxReportAttempts) throw flushed.conflict.relabelled(placeInReport);
  }
}

/** The result in an answer, fresh or replayed. */
function reportedBy({ own, warnings }: AppliedTree): ReportedPool {
  return { ...(own as OwnAnswer), warnings };
}

/** A provider found only by its name must be a pool, because it could be a host with that name. */
function refuseOthersName({ uuid, name }: PoolReport, found: ProviderState | undefined): void {
  if (uuid || !found || found.traits.includes(sharingTrait)) return;
  throw refusalOf({ code: 'DUPLICATE', details: { noun: 'resourceProvider', field: 'name', key: name, existing: found.uuid } }, ['name']);
}

/** A pool is the only provider of its tree, so problems of the tree are problems of the report. */
function placeInReport({ path }: Problem): Path {
  return path.slice(2);
}

function editPool(tree: ProviderTree, uuid: string, { name, inventories, aggregates, traits, owner }: PoolReport): void {
  if (!tree.exists(uuid)) tree.newRoot(name, uuid);
  tree.rename(uuid, name);
  tree.updateInventory(uuid, Object.fromEntries(inventories.map(({ resourceClass, ...inventory }) => [resourceClass, inventory])));
  const needed = [sharingTrait, owner ?? ownerNova];
  if (traits) tree.updateTraits(uuid, [...traits, ...needed]);
  else tree.addTraits(uuid, ...needed);
  if (aggregates) tree.updateAggregates(uuid, aggregates);
}
