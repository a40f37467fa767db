// The named features of this version, with the fields of Query and Mutation of each. Names are added, never changed.
// Every field belongs to exactly one feature; features without root fields are listed in `everywhere`.
import type { GraphQLSchema } from 'graphql';

export const fieldsOfFeatures: Readonly<Record<string, readonly string[]>> = {
  'service-info': ['serviceInfo'],
  viewer: ['viewer'],
  bridge: ['bridge'],
  'cloud-map': ['cloudMap'],
  search: ['search'],
  'global-ids': ['node', 'nodes'],
  'provider-trees': [
    ...['resourceProvider', 'resourceProviders'],
    ...['createResourceProvider', 'updateResourceProvider', 'deleteResourceProvider'],
  ],
  'apply-provider-tree': ['applyProviderTree'],
  inventories: ['replaceInventories', 'setInventory', 'patchInventories', 'deleteInventory'],
  totals: ['totals'],
  'resource-classes': ['resourceClass', 'resourceClasses', 'createResourceClass', 'deleteResourceClass'],
  traits: ['trait', 'traits', 'replaceTraits', 'patchTraits', 'createTrait', 'deleteTrait'],
  'named-aggregates': ['aggregate', 'aggregates', 'replaceAggregates', 'nameAggregate'],
  ledger: [...['consumer', 'consumers', 'project', 'projects'], ...['replaceAllocations', 'releaseAllocations']],
  expiry: ['setExpiry'],
  usages: ['usages'],
  quotas: ['quotaSettings', 'replaceQuotas'],
  reservations: ['reservation', 'reservations', 'replaceReservation', 'releaseReservation'],
  reshape: ['reshape'],
  events: ['events'],
  'event-feed': ['eventFeed'],
  history: ['asOf', 'claimHistory', 'usageHistory', 'usageSamples'],
  'allocation-candidates': ['allocationCandidates'],
  fit: ['fit'],
  claim: ['claim'],
  'nova-flavors': ['flavorToRequest', 'requestSpecToRequest'],
  'nova-settings': ['novaSettings', 'replaceNovaSettings'],
  'nova-destinations': ['selectDestinations', 'claimAlternate'],
  'nova-instances': ['claimInstance'],
  'nova-migrations': ['startMigration', 'endMigration'],
  plans: ['drainPlan', 'rebalancePlan', 'whatIf'],
  'nova-audits': ['auditComputeNode'],
  'nova-compute-nodes': ['computeNode', 'computeNodes', 'reportComputeNode', 'importComputeNodes', 'deleteComputeNode'],
  'nova-services': ['services', 'minimumComputeVersion', 'reportService', 'deleteService'],
  'nova-storage-pools': ['reportPool'],
};

const everywhere = [
  ...['shared-pools', 'idempotency-keys', 'explanation', 'operation-cost', 'schema-text'],
  ...['event-subscription', 'cloud-map-subscription', 'trusted-documents'],
];

export const features: readonly string[] = [...Object.keys(fieldsOfFeatures), ...everywhere];

/** The features of a schema; a federation subgraph has one more. */
export function featuresOf(schema: GraphQLSchema): readonly string[] {
  return schema.getType('_Entity') ? [...features, 'federation'] : features;
}
