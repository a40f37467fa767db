// Loads the demo cloud into an empty ledger, with the same writes as any caller. Its contents are in demo/hosts.ts and demo/consumers.ts. Tests run the
// examples of the explorer on it.

import { quotaRecord } from '../db/quotas.ts';
import type { Db } from '../db/sql/client.ts';
import { applyWrite } from '../db/writes/apply-write.ts';
import { type Actor, isRefused } from '../db/writes/contract.ts';
import type { RequestOf, WriteOperation } from '../db/writes/operations.ts';
import type { CompleteInventory } from '../domain/inventory.ts';
import type { Quota } from '../domain/quota.ts';
import { buildConsumers, type DemoConsumer } from './demo/consumers.ts';
import { buildCloud, type DemoProvider, hostsInZone } from './demo/hosts.ts';
import { uuidOf } from './demo/names.ts';
import { inBatches } from './phases/batches.ts';
import type { Progress } from './phases/progress.ts';

const consumersInBatch = 200;
const hostsInReport = 50;

/** Changes of two hosts after their servers were placed, so that both are over capacity. */
const shrunk: readonly { readonly host: string; readonly resourceClass: string; readonly change: Partial<CompleteInventory> }[] = [
  // An operator disabled overcommit.
  { host: 'az1-rack02-node05', resourceClass: 'VCPU', change: { allocationRatio: 1 } },
  // A memory bank failed.
  { host: 'az2-rack04-node08', resourceClass: 'MEMORY_MB', change: { total: 49_152, maxUnit: 49_152 } },
];

/** The defaults for all projects: more than any of them holds. */
const quotasFor = (hosts: number): readonly Quota[] => [
  { resourceClass: 'VCPU', consumerType: null, user: null, amount: 20 * hosts },
  { resourceClass: 'MEMORY_MB', consumerType: null, user: null, amount: 40_960 * hosts },
  { resourceClass: null, consumerType: 'INSTANCE', user: null, amount: 5 * hosts },
];

/**
 * Loads 200 hosts with 2,000 consumers, or another size, the same in every database. If there are providers already, nothing happens, and `loaded` is false.
 * Throws if the ledger refuses something; what was written before stays.
 */
export async function loadDemo(
  db: Db,
  report: (line: string) => void,
  { hosts = 200, progress }: { /** Whole hundreds. */ readonly hosts?: number; readonly progress?: Progress } = {},
): Promise<{ loaded: boolean }> {
  const [row] = await db.sql<{ found: boolean }[]>`select exists (select from resource_providers) as found`;
  if (row?.found) return { loaded: false };

  const cloud = buildCloud(hosts / hostsInZone);
  const consumers = buildConsumers(cloud);
  const trees = [...cloud.hosts.map(({ tree }) => tree), ...cloud.pools.map((pool) => [pool])];
  await write(db, 'replace_quotas', 'defaults', {
    record: { ...quotaRecord(null), body: { parent: null, quotas: quotasFor(hosts) } },
    expect: {},
  });
  for (const [index, tree] of trees.entries()) {
    const [root] = tree;
    if (!root) continue;
    const providers = tree.map((provider) => ({ ...provider, expect: {} }));
    await write(db, 'apply_provider_tree', root.name, { root: root.uuid, providers, consumers: [], dryRun: false });
    progress?.at('trees', index + 1, trees.length);
    if ((index + 1) % hostsInReport === 0) report(`demo cloud: ${index + 1} of ${trees.length} trees`);
  }
  for (const name of cloud.aggregates) await write(db, 'name_aggregate', name, { aggregate: uuidOf(name), name });
  for (const [index, batch] of [...inBatches(consumers, consumersInBatch)].entries()) {
    await write(db, 'replace_allocations', `consumers ${index}`, { consumers: batch });
    progress?.at('consumers', index * consumersInBatch + batch.length, consumers.length);
  }
  await claimAndRelease(db, consumers[0]);
  for (const { host, resourceClass, change } of shrunk) {
    const inventory = findInventory(trees.flat(), host, resourceClass);
    await write(db, 'replace_inventories', `shrunk ${host}`, {
      provider: uuidOf(host),
      expect: {},
      inventories: [{ ...inventory, ...change }],
      keepOthers: true,
    });
  }
  report(`demo cloud: ${cloud.hosts.length} hosts, ${consumers.length} consumers`);
  return { loaded: true };
}

/** A server like another that was deleted: only events know of it. */
async function claimAndRelease(db: Db, like: DemoConsumer | undefined): Promise<void> {
  if (!like) return;
  const deleted = { ...like, uuid: uuidOf('deleted server') };
  await write(db, 'replace_allocations', 'deleted server', { consumers: [deleted] });
  await write(db, 'release_allocations', 'deleted server', { consumers: [{ ...deleted, expect: { generation: 1 }, allocations: [] }] });
}

async function write<Name extends WriteOperation>(db: Db, operation: Name, name: string, request: RequestOf<Name>): Promise<void> {
  const by: Actor = { user: 'nova', project: 'service', roles: ['admin', 'service'], requestId: `req-${uuidOf(`${operation} ${name}`)}` };
  const answer = await applyWrite(db, operation, request, { by });
  if (isRefused(answer)) throw new Error(`the demo cloud was refused: ${operation} ${name}: ${JSON.stringify(answer.refusal)}`);
}

function findInventory(providers: readonly DemoProvider[], name: string, resourceClass: string): CompleteInventory {
  const found = providers
    .find((provider) => provider.name === name)
    ?.inventories.find((inventory) => inventory.resourceClass === resourceClass);
  if (!found) throw new Error(`the demo cloud has no ${resourceClass} on ${name}`);
  return found;
}
