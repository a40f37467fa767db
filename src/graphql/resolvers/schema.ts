// The executable schema: the contract of schema.graphql with the resolvers of all nouns.
import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { federationResolvers, federationTypeDefs } from '../federation.ts';
import { paceResolvers } from '../large-answers.ts';
import { columnScalars, dateTimeScalar, safeIntScalar, trueScalar, uuidScalar } from '../scalars.ts';
import { aggregateResolvers } from './aggregates.ts';
import { allocationResolvers } from './allocations.ts';
import { auditResolvers } from './audits.ts';
import { bridgeResolvers } from './bridge.ts';
import { candidateResolvers } from './candidates.ts';
import { capacityResolvers } from './capacity.ts';
import { claimResolvers } from './claims.ts';
import { cloudMapResolvers } from './cloud-map.ts';
import { computeNodeResolvers } from './compute-nodes.ts';
import { consumerResolvers } from './consumers.ts';
import { destinationResolvers } from './destinations.ts';
import { eventResolvers } from './events.ts';
import { flavorResolvers } from './flavors.ts';
import { historyResolvers } from './history.ts';
import { instanceResolvers } from './instances.ts';
import { inventoryResolvers } from './inventories.ts';
import { migrationResolvers } from './migrations.ts';
import { payloadResolvers } from './mutation.ts';
import { nodeResolvers } from './nodes.ts';
import { novaSettingsResolvers } from './nova-settings.ts';
import { planResolvers } from './plans.ts';
import { poolResolvers } from './pools.ts';
import { projectResolvers } from './projects.ts';
import { providerResolvers } from './providers.ts';
import { quotaResolvers } from './quotas.ts';
import { reservationResolvers } from './reservations.ts';
import { resourceClassResolvers } from './resource-classes.ts';
import { searchResolvers } from './search.ts';
import { serviceInfoResolvers } from './service-info.ts';
import { serviceResolvers } from './services.ts';
import { traitResolvers } from './traits.ts';
import { treeResolvers } from './trees.ts';
import { usageResolvers } from './usages.ts';
import { userErrorResolvers } from './user-errors.ts';
import { viewerResolvers } from './viewer.ts';

/** The resolvers of each noun, including those of Query and Mutation. */
const resolvers = [
  { UUID: uuidScalar, DateTime: dateTimeScalar, SafeInt: safeIntScalar, True: trueScalar, ...columnScalars },
  aggregateResolvers,
  allocationResolvers,
  auditResolvers,
  bridgeResolvers,
  candidateResolvers,
  capacityResolvers,
  claimResolvers,
  cloudMapResolvers,
  computeNodeResolvers,
  consumerResolvers,
  destinationResolvers,
  eventResolvers,
  flavorResolvers,
  historyResolvers,
  instanceResolvers,
  inventoryResolvers,
  migrationResolvers,
  nodeResolvers,
  novaSettingsResolvers,
  quotaResolvers,
  planResolvers,
  poolResolvers,
  projectResolvers,
  providerResolvers,
  reservationResolvers,
  resourceClassResolvers,
  searchResolvers,
  serviceInfoResolvers,
  serviceResolvers,
  traitResolvers,
  treeResolvers,
  usageResolvers,
  userErrorResolvers,
  viewerResolvers,
];

/** By whether it is a subgraph's. */
const loaded = new Map<boolean, GraphQLSchema>();

/**
 * The contract with its resolvers, the same for all listeners of a process; for a subgraph, also with the fields for a federation's router. Fails if a resolver
 * is not in the contract, or a field with arguments has none.
 */
export function loadSchema({ federation = false }: { readonly federation?: boolean } = {}): GraphQLSchema {
  const known = loaded.get(federation);
  if (known) return known;
  const contract = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
  const schema = makeExecutableSchema({
    resolverValidationOptions: { requireResolversForArgs: 'error' },
    ...(federation
      ? { typeDefs: [contract, federationTypeDefs], resolvers: [...resolvers, federationResolvers(contract)] }
      : { typeDefs: contract, resolvers }),
  });
  readEventsOfPayloads(schema);
  paceResolvers(schema);
  loaded.set(federation, schema);
  return schema;
}

/** Resolves `event` and `events` of every payload here, so that no noun repeats it. */
function readEventsOfPayloads(schema: GraphQLSchema): void {
  for (const { type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const payload = getNamedType(type);
    if (!isObjectType(payload)) continue;
    const { event, events } = payload.getFields();
    if (event) event.resolve = payloadResolvers.event;
    if (events) events.resolve = payloadResolvers.events;
  }
}
