// An input for each mutation in a cloud to crawl (crawled-cloud.ts), to be sent in order.
import { limits } from '../../src/domain/limits.ts';
import { renderClaimToken } from '../../src/operations/allocations/claim-token.ts';
import { later, many, names, novaSettings, range, reportedNode, someClasses, soon, unchecked } from './crawled-cloud.ts';
import { uuidOf } from './seed.ts';

const isNew = { isNew: true };
const owner = { project: 'p1', user: 'u1' };
const on = (provider: string) => ({ resourceProvider: uuidOf(provider), expect: unchecked });
const asInventories = (total: number) => someClasses.map((resourceClass) => ({ resourceClass, total }));
const memory = [{ resourceClass: 'MEMORY_MB', amount: 1 }];
const parties = (name: string) => ({ migrationRecord: { fields: { uuid: uuidOf(`move of ${name}`), instance: uuidOf(name) } } });
const small = { fields: { vcpus: 1, memoryMb: 1, rootGb: 1 } };
const instance = (name: string) => ({ fields: { uuid: uuidOf(name), ...owner, flavor: small } });
const tokenOf = (node: string) =>
  renderClaimToken([
    { resourceProvider: uuidOf(node), resources: ['VCPU', 'MEMORY_MB', 'DISK_GB'].map((resourceClass) => ({ resourceClass, amount: 1 })) },
  ]);

/** Inputs of mutations, to be sent in this order. */
export const inputs: readonly (readonly [mutation: string, what: string, input: object])[] = [
  ['createResourceProvider', 'a provider', { name: 'created' }],
  ['updateResourceProvider', 'a provider', { ...on('spare 1'), name: 'renamed' }],
  ['deleteResourceProvider', 'a provider', on('spare 2')],
  ['deleteResourceProvider', 'refused: a provider with children', on('cn1')],
  ['deleteResourceProvider', 'refused: a provider in use', on('node 0')],
  ['replaceInventories', 'inventories that are in use', { ...on('replaced'), inventories: asInventories(1) }],
  ['setInventory', 'an inventory that is in use', { ...on('patched 29'), inventory: { resourceClass: 'VCPU', total: 1 } }],
  ['patchInventories', 'named providers', { select: { many: names('patched').map(on) }, resourceClass: 'VCPU', patch: { total: 1 } }],
  ['patchInventories', 'a filter', { select: { filter: { nameStartsWith: 'patched' } }, resourceClass: 'VCPU', patch: { maxUnit: 1 } }],
  ['deleteInventory', 'an inventory', { ...on('spare 4'), resourceClass: 'VCPU' }],
  ['createResourceClass', 'a class', { name: 'CUSTOM_NEW' }],
  ['deleteResourceClass', 'a class', { name: 'CUSTOM_OLD' }],
  ['replaceTraits', 'many traits', { ...on('spare 5'), traits: range(many).map((index) => `CUSTOM_T${index}`) }],
  ['patchTraits', 'named providers', { select: { many: names('patched').map(on) }, add: range(many).map((index) => `CUSTOM_T${index}`) }],
  ['patchTraits', 'a filter', { select: { filter: { nameStartsWith: 'spare' } }, add: ['CUSTOM_T2'], dryRun: true }],
  ['createTrait', 'a trait', { name: 'CUSTOM_NEW' }],
  ['deleteTrait', 'a trait', { name: 'CUSTOM_OLD' }],
  ['replaceAggregates', 'many aggregates', { ...on('spare 6'), aggregates: names('aggregate').map(uuidOf) }],
  ['nameAggregate', 'an aggregate', { aggregate: uuidOf('az'), name: 'zone' }],
  [
    'replaceAllocations',
    'many consumers',
    {
      consumers: names('written').map((name) => ({
        ...{ consumer: uuidOf(name), expect: isNew, ...owner, consumerType: 'INSTANCE' },
        hold: { allocations: ['roomy', 'cn1'].map((provider) => ({ resourceProvider: uuidOf(provider), resources: memory })) },
      })),
    },
  ],
  [
    'replaceAllocations',
    'refused: more consumers than are listed',
    {
      consumers: range(limits.refusalsReported + 1).map((index) => ({
        ...{ consumer: uuidOf(`refused ${index}`), expect: { generation: 9 }, ...owner, consumerType: 'INSTANCE' },
        hold: { allocations: [{ resourceProvider: uuidOf('roomy'), resources: memory }] },
      })),
    },
  ],
  [
    'setExpiry',
    'many consumers',
    { consumers: names('released').map((name) => ({ consumer: uuidOf(name), expect: unchecked, expiry: { afterSeconds: 600 } })) },
  ],
  ['releaseAllocations', 'many consumers', { consumers: names('released').map((name) => ({ consumer: uuidOf(name), expect: unchecked })) }],
  [
    'claim',
    'many consumers',
    {
      consumers: names('claimed').map((name) => ({ consumer: uuidOf(name), expect: isNew, ...owner, consumerType: 'INSTANCE' })),
      request: { groups: [{ resources: memory }] },
      alternates: 3,
    },
  ],
  [
    'replaceReservation',
    'amounts on many providers',
    {
      ...{ reservation: uuidOf('reserved'), expect: isNew, project: 'p1', startsAt: soon, endsAt: later },
      hold: { allocations: names('node').map((name) => ({ resourceProvider: uuidOf(name), resources: memory })) },
    },
  ],
  [
    'replaceReservation',
    'many instances',
    {
      ...{ reservation: uuidOf('instances'), expect: isNew, project: 'p1', startsAt: soon, endsAt: later },
      hold: { instances: { count: many, request: { groups: [{ resources: memory }] } } },
    },
  ],
  ['releaseReservation', 'a reservation', { reservation: uuidOf('reserved'), expect: { generation: 1 } }],
  ['releaseReservation', 'refused: one that is claimed from', { reservation: uuidOf('reservation 1'), expect: unchecked }],
  ['deleteInventory', 'refused: an inventory that is reserved', { ...on('spare 8'), resourceClass: 'VCPU' }],
  [
    'reshape',
    'inventories that are in use',
    {
      resourceProviders: [
        { ...on('reshaped'), inventories: asInventories(1) },
        ...names('patched')
          .slice(0, 5)
          .map((name) => ({ ...on(name), inventories: [{ resourceClass: 'VCPU', total: 1 }] })),
      ],
      consumers: names('reshaped').map((name) => ({
        ...{ consumer: uuidOf(name), expect: isNew, ...owner, consumerType: 'INSTANCE' },
        hold: { allocations: [{ resourceProvider: uuidOf('roomy'), resources: memory }] },
      })),
    },
  ],
  [
    'applyProviderTree',
    'many providers',
    {
      root: uuidOf('tree'),
      resourceProviders: range(many).map((index) => ({
        ...(index === 0 ? { uuid: uuidOf('tree'), expect: unchecked } : { parentName: 'tree' }),
        name: index === 0 ? 'tree' : `tree ${index}`,
        inventories: index === 0 ? asInventories(1) : [{ resourceClass: 'VCPU', total: 4 }],
        traits: ['CUSTOM_T1'],
        aggregates: [uuidOf('az')],
      })),
    },
  ],
  [
    'selectDestinations',
    'many instances',
    {
      instances: names('placed').map((name) => ({ instance: uuidOf(name), ...owner })),
      requestFrom: { flavorToRequest: { flavor: small } },
      alternates: 3,
    },
  ],
  [
    'claimAlternate',
    'an instance',
    { instance: uuidOf('guest of node 1'), expect: { generation: 1 }, selections: [{ claimToken: tokenOf('node 2') }] },
  ],
  ['claimInstance', 'an instance', { hostedInstance: { instanceRecord: instance('booted') }, computeNode: uuidOf('node 3') }],
  [
    'startMigration',
    'a move that is confirmed',
    { ...parties('guest of node 4'), expect: { generation: 1 }, selection: { claimToken: tokenOf('node 5') } },
  ],
  ['endMigration', 'a move that is confirmed', { ...parties('guest of node 4'), outcome: 'CONFIRMED' }],
  [
    'startMigration',
    'a move that is reverted',
    { ...parties('guest of node 6'), expect: { generation: 1 }, selection: { claimToken: tokenOf('node 7') } },
  ],
  ['endMigration', 'a move that is reverted', { ...parties('guest of node 6'), outcome: 'REVERTED' }],
  [
    'auditComputeNode',
    'many instances and strangers',
    {
      ...{ computeNode: uuidOf('node 0'), host: 'node 0', removeStale: true, repair: true },
      instances: names('hosted').map((name) => ({ instanceRecord: instance(name) })),
      known: names('stranger node').map((name) => ({ instance: uuidOf(name), deleted: true })),
      moves: names('moving').map((name) => ({
        migration: uuidOf(`move of ${name}`),
        side: 'INCOMING',
        hostedInstance: { instanceRecord: instance(name) },
      })),
    },
  ],
  ['reportComputeNode', 'many cells and devices', reportedNode('reported')],
  ['reportComputeNode', 'a node in use', { ...reportedNode('node 11', 0), reservedCpus: 120 }],
  ['deleteComputeNode', 'a node', { computeNode: uuidOf('node 9'), handOver: { computeNode: uuidOf('node 10') } }],
  [
    'importComputeNodes',
    'many records',
    { records: names('old').map((hypervisorHostname) => ({ fields: { hypervisorHostname, vcpus: 4, memoryMb: 512, localGb: 10 } })) },
  ],
  ['reportService', 'a service', { service: { fields: { host: 'cn1', binary: 'nova-compute', version: 67 } } }],
  [
    'replaceNovaSettings',
    'settings of every kind',
    {
      expect: { generation: 1 },
      settings: { ...novaSettings, weightMultipliers: { ram: 3 } },
    },
  ],
  ['replaceQuotas', 'many quotas', { expect: unchecked, project: 'p1', quotas: range(100).map((n) => ({ user: `u${n}`, amount: n })) }],
  ['deleteService', 'a service', { host: 'cn1', binary: 'nova-compute' }],
  [
    'reportPool',
    'a pool that is in use',
    { uuid: uuidOf('used pool'), name: 'used pool', inventories: [{ resourceClass: 'DISK_GB', total: 1 }] },
  ],
  [
    'reportPool',
    'a pool',
    {
      uuid: uuidOf('pool'),
      name: 'pool',
      inventories: [{ resourceClass: 'DISK_GB', total: 1000 }],
      aggregates: [uuidOf('storage of nodes')],
    },
  ],
];
