// The mutation fields: each hands its input to the operation of the same name and gives the answer the form of its payload.
import type { AllocationsWritten } from '../../operations/allocations/allocation-writes.ts';
import { moveAllocations, releaseAllocations, replaceAllocations } from '../../operations/allocations/allocation-writes.ts';
import { claim } from '../../operations/candidates/claims.ts';
import { deleteInventory, replaceInventories, setInventory } from '../../operations/providers/inventory-writes.ts';
import { createResourceClass, createTrait, deleteResourceClass, deleteTrait } from '../../operations/providers/name-writes.ts';
import {
  createResourceProvider,
  deleteResourceProvider,
  ensureResourceProvider,
  nameAggregate,
  replaceAggregates,
  replaceTraits,
  updateResourceProvider,
} from '../../operations/providers/provider-writes.ts';
import { applyProviderTree } from '../../operations/trees/provider-tree.ts';
import { reshape } from '../../operations/trees/reshape.ts';
import { renderNodeId } from '../node-id.ts';
import type { MutationResolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

const noProvider = { resourceProvider: null };
const nothingWritten = { resourceProviders: [], eventId: null, replayed: false };

function eventNodeId(eventId: number | null): string | null {
  return eventId === null ? null : renderNodeId('Event', String(eventId));
}

function written({ providers, eventId, replayed }: AllocationsWritten) {
  return { resourceProviders: providers, eventId: eventNodeId(eventId), replayed };
}

export const mutationResolvers: MutationResolvers = {
  createResourceProvider: mutation(noProvider, async (input, scope) => ({ resourceProvider: await createResourceProvider(scope, input) })),
  ensureResourceProvider: mutation({ ...noProvider, created: false }, (input, scope) => ensureResourceProvider(scope, input)),
  updateResourceProvider: mutation(noProvider, async (input, scope) => ({ resourceProvider: await updateResourceProvider(scope, input) })),
  deleteResourceProvider: mutation({ deletedProvider: null }, async (input, scope) => ({
    deletedProvider: await deleteResourceProvider(scope, input),
  })),

  replaceInventories: mutation({ ...noProvider, warnings: [] }, (input, scope) => replaceInventories(scope, input)),
  setInventory: mutation({ ...noProvider, inventory: null, warnings: [] }, async (input, scope) => {
    const { resourceProvider, warnings } = await setInventory(scope, input);
    const inventories = await scope.loaders.inventoriesByProvider.load(resourceProvider.id);
    const inventory = inventories.find(({ className }) => className === input.inventory.resourceClass) ?? null;
    return { resourceProvider, inventory, warnings };
  }),
  deleteInventory: mutation(noProvider, async (input, scope) => ({
    resourceProvider: (await deleteInventory(scope, input)).resourceProvider,
  })),

  replaceTraits: mutation(noProvider, async (input, scope) => ({ resourceProvider: await replaceTraits(scope, input) })),
  replaceAggregates: mutation(noProvider, async (input, scope) => ({ resourceProvider: await replaceAggregates(scope, input) })),
  nameAggregate: mutation({ aggregate: null }, async (input, scope) => ({ aggregate: await nameAggregate(scope, input) })),
  createTrait: mutation({ trait: null, created: false }, (input, scope) => createTrait(scope, input)),
  deleteTrait: mutation({ deletedTrait: null }, async (input, scope) => ({ deletedTrait: await deleteTrait(scope, input) })),
  createResourceClass: mutation({ resourceClass: null, created: false }, (input, scope) => createResourceClass(scope, input)),
  deleteResourceClass: mutation({ deletedResourceClass: null }, async (input, scope) => ({
    deletedResourceClass: await deleteResourceClass(scope, input),
  })),

  replaceAllocations: mutation({ ...nothingWritten, consumers: [] }, async (input, scope) => {
    const answer = await replaceAllocations(scope, input);
    return { consumers: answer.consumers, ...written(answer) };
  }),
  claim: mutation({ claims: [], resourceProviders: [] }, async (input, scope) => {
    const { claims, providers, problems } = await claim(scope, input);
    return { claims, resourceProviders: providers, userErrors: problems };
  }),
  moveAllocations: mutation({ ...nothingWritten, consumer: null }, async (input, scope) => {
    const answer = await moveAllocations(scope, input);
    return { ...written(answer), consumer: answer.consumers[0] ?? null };
  }),
  releaseAllocations: mutation({ ...nothingWritten, released: [] }, async (input, scope) => {
    const answer = await releaseAllocations(scope, input);
    return { ...written(answer), released: answer.released };
  }),

  reshape: mutation({ resourceProviders: [], consumers: [], eventId: null, warnings: [] }, async (input, scope) => {
    const { providers, consumers, eventId, warnings } = await reshape(scope, input);
    return { resourceProviders: providers, consumers, eventId: eventNodeId(eventId), warnings };
  }),
  applyProviderTree: mutation({ root: null, changes: [], applied: false, eventId: null, warnings: [] }, async (input, scope) => {
    const { eventId, ...applied } = await applyProviderTree(scope, input);
    return { ...applied, eventId: eventNodeId(eventId) };
  }),
};
