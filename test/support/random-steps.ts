// Random writes of every kind that the model in memory (ledger-model.ts) knows, on few names, so that they meet; and the same writes as operations of the
// write functions. Does not judge answers.
import fc from 'fast-check';
import type { WriteOperation } from '../../src/db/writes/operations.ts';
import type { createModel, Operation } from './ledger-model.ts';
import { uuidOf } from './seed.ts';

const providerNames = ['cn0', 'cn1', 'cn2', 'cn3'] as const;
export const consumerNames = ['a', 'b', 'c', 'd', 'e'] as const;
const anyProvider = fc.constantFrom(...providerNames);
const anyParent = fc.option(anyProvider, { freq: 2 });
/** Whether a write names the current generation, another one, or none. */
const anyGuard = fc.constantFrom('current', 'current', 'none', 'none', 'wrong');
const anySmallRecord = fc.record({
  total: fc.integer({ min: 4, max: 20 }),
  reserved: fc.constantFrom(0, 0, 2),
  minUnit: fc.constantFrom(1, 1, 2),
  maxUnit: fc.constantFrom(6, 12),
  stepSize: fc.constantFrom(1, 1, 2),
  allocationRatio: fc.constantFrom(1, 1, 1.5, 0.3),
});
const anyWish = fc.record({
  consumer: fc.constantFrom(...consumerNames),
  guard: anyGuard,
  held: fc.dictionary(anyProvider, fc.integer({ min: 1, max: 8 }), { maxKeys: 3, noNullPrototype: true }),
});
export const anyStep = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), provider: anyProvider, parent: anyParent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), provider: anyProvider, parent: anyParent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), provider: anyProvider, guard: anyGuard }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('stock' as const),
      provider: anyProvider,
      inventory: fc.option(anySmallRecord, { freq: 6 }),
      guard: anyGuard,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      wishes: fc.uniqueArray(anyWish, { minLength: 1, maxLength: 3, selector: ({ consumer }) => consumer }),
    }),
  },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** A step with its guards replaced by the current generations. */
export function operationOf(step: Step, { providers, consumers }: ReturnType<ReturnType<typeof createModel>['state']>): Operation {
  const guarded = (guard: string, current: number | undefined, absent: number | null) => {
    if (guard === 'none') return undefined;
    if (guard === 'current') return current ?? absent;
    return current === undefined ? 3 : current + 1;
  };
  if (step.do === 'claim') {
    const wishes = step.wishes.map(({ consumer, guard, held }) => ({
      consumer,
      held,
      generation: guarded(guard, consumers[consumer]?.generation, null),
    }));
    return { do: 'claim', consumers: wishes };
  }
  if (step.do === 'create' || step.do === 'move') return step;
  const generation = guarded(step.guard, providers[step.provider]?.generation, 0) ?? undefined;
  return { ...step, generation };
}

/** An operation for the write functions; every name is made unique to this run. */
export function requestOf(operation: Operation, run: string): [WriteOperation, Record<string, unknown>] {
  const uuid = (name: string) => uuidOf(run + name);
  const expectation = (generation: number | undefined) => (generation === undefined ? {} : { generation });
  if (operation.do === 'claim') {
    const consumers = operation.consumers.map(({ consumer, generation, held }) => ({
      uuid: uuid(consumer),
      expect: generation === null ? { isNew: true } : expectation(generation),
      project: 'p1',
      user: 'u1',
      type: 'INSTANCE',
      keepType: false,
      allocations: Object.entries(held).map(([provider, amount]) => ({ provider: uuid(provider), resourceClass: 'VCPU', amount })),
    }));
    return ['replace_allocations', { consumers }];
  }
  const provider = uuid(operation.provider);
  const parent = 'parent' in operation && operation.parent !== null ? uuid(operation.parent) : null;
  if (operation.do === 'create') return ['create_resource_provider', { uuid: provider, name: run + operation.provider, parent }];
  if (operation.do === 'move') return ['update_resource_provider', { provider, expect: {}, parent }];
  if (operation.do === 'delete') return ['delete_resource_provider', { provider, expect: expectation(operation.generation) }];
  const inventories = operation.inventory === null ? [] : [{ resourceClass: 'VCPU', ...operation.inventory }];
  return ['replace_inventories', { provider, expect: expectation(operation.generation), inventories }];
}

/** Two providers with capacity to claim from the first step on. */
export const firstOperations: readonly Operation[] = providerNames.slice(0, 2).flatMap((provider) => [
  { do: 'create', provider, parent: null },
  {
    do: 'stock',
    provider,
    inventory: { total: 12, reserved: 0, minUnit: 1, maxUnit: 12, stepSize: 1, allocationRatio: 1 },
    generation: 0,
  },
]);
