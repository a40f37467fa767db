// Writes of providers and of their traits and aggregates. Each is one call of one function, which has the rules.

import { randomUUID } from 'node:crypto';
import type { RefusalReason } from '../../domain/errors.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { Aggregate, GivenFields, Provider } from '../../domain/provider.ts';
import { type ConsumerAllocations, parseConsumers } from '../allocations/allocation-writes.ts';
import { type IfExists, InputCheck, type ProviderExpectation } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type Locate, write } from '../scope/write.ts';

export interface NewProvider {
  readonly uuid?: Optional<string>;
  readonly name: string;
  readonly parent?: Optional<string>;
  readonly ifExists?: IfExists;
}

/** The path of the argument that a refusal concerns: the provider itself, its parent, name or expectation. */
export const locateProvider: Locate = ({ code, details }: RefusalReason) => {
  if (code === 'PROVIDER_CONFLICT') return ['expect'];
  if (code === 'PARENT_LOOP') return ['newParent'];
  if (code === 'NOT_FOUND') return [details.noun === 'parent' ? 'newParent' : 'resourceProvider'];
  if (code === 'DUPLICATE') return ['name'];
  return ['resourceProvider'];
};

const locateNewProvider: Locate = (reason) => {
  if (reason.code === 'DUPLICATE') return [reason.details.field];
  return reason.code === 'NOT_FOUND' ? ['parent'] : locateProvider(reason);
};

/** Creates a provider; with RETURN, an existing one with exactly this uuid, name and parent is returned. Refuses INVALID_INPUT, NOT_FOUND (parent), DUPLICATE. */
export async function createResourceProvider(scope: RequestScope, { uuid, name, parent, ifExists }: NewProvider) {
  const ensure = ifExists === 'RETURN';
  const check = new InputCheck();
  check.name(['name'], name);
  if (ensure && !uuid) check.add(['uuid'], 'must be given with ifExists: RETURN');
  check.done();
  if (uuid && uuid === parent) throw invalidInput(['parent'], 'parent cannot be the provider itself');
  const given: GivenFields = { name };
  const request = { ...given, uuid: uuid ?? randomUUID(), parent: parent ?? null, ensure };
  const { providers, created } = await write(scope, 'create_resource_provider', request, locateNewProvider);
  return { resourceProvider: providers[0], created };
}

export interface ProviderUpdate {
  readonly resourceProvider: string;
  readonly expect: ProviderExpectation;
  readonly name?: Optional<string>;
  readonly newParent?: Optional<{ readonly resourceProvider?: Optional<string>; readonly none?: Optional<boolean> }>;
  /** Whether a provider that has a parent keeps it: another parent is refused with INVALID_INPUT. */
  readonly keepParent?: boolean;
  /** Whether the generation stays; by default it is incremented. */
  readonly keepGeneration?: boolean;
}

/** Renames a provider, or moves it with its descendants. Refuses NOT_FOUND, DUPLICATE, PROVIDER_CONFLICT, PARENT_LOOP. */
export async function updateResourceProvider(
  scope: RequestScope,
  { resourceProvider: provider, expect, name, newParent, keepParent, keepGeneration }: ProviderUpdate,
): Promise<Provider> {
  const check = new InputCheck();
  const expectation = check.expectation(['expect'], { ...expect });
  check.name(['name'], name);
  if (newParent && (newParent.none ?? true) !== true) check.add(['newParent', 'none'], 'can only be true');
  if (newParent && (typeof newParent.resourceProvider === 'string') === (typeof newParent.none === 'boolean')) {
    check.add(['newParent'], 'must have exactly one of resourceProvider and none');
  }
  check.done();
  const place = newParent ? { parent: newParent.resourceProvider ?? null } : {};
  const given = { name: name ?? undefined } satisfies Record<keyof GivenFields, unknown>;
  const request = { provider, expect: expectation, ...given, ...place, keepParent, keepGeneration };
  return (await write(scope, 'update_resource_provider', request, locateProvider)).providers[0];
}

/** Deletes a provider with its inventories, traits and memberships. Refuses NOT_FOUND, PROVIDER_CONFLICT, HAS_CHILDREN, IN_USE. */
export async function deleteResourceProvider(
  scope: RequestScope,
  { resourceProvider: provider, expect }: { readonly resourceProvider: string; readonly expect: ProviderExpectation },
): Promise<string> {
  const check = new InputCheck();
  const expectation = check.expectation(['expect'], { ...expect });
  check.done();
  await write(scope, 'delete_resource_provider', { provider, expect: expectation }, locateProvider);
  return provider;
}

export interface TreeDeletion {
  readonly root: string;
  readonly recordKind: string;
  /** What consumers hold from then on, at most 10,000 of them: a tree that is held is not deleted. */
  readonly allocations?: readonly ConsumerAllocations[];
  /** The path of a refusal in the input. */
  readonly locate: Locate;
}

/**
 * Deletes a root with everything below it and all that is kept about it, also one that is known only from a record of this kind, in one transaction.
 * Refuses NOT_FOUND, IN_USE, and what writes of allocations refuse.
 */
export async function deleteTree(scope: RequestScope, { root, recordKind, allocations = [], locate }: TreeDeletion): Promise<void> {
  const check = new InputCheck();
  const consumers = await parseConsumers(check, ['allocations'], allocations);
  check.done();
  const request = { provider: root, expect: {}, wholeTree: true, record: recordKind, consumers } as const;
  await write(scope, 'delete_resource_provider', request, locate);
}

/** Replaces all traits. Refuses NOT_FOUND (provider or trait), PROVIDER_CONFLICT. */
export async function replaceTraits(
  scope: RequestScope,
  {
    resourceProvider: provider,
    expect,
    traits,
  }: { readonly resourceProvider: string; readonly expect: ProviderExpectation; readonly traits: readonly string[] },
): Promise<Provider> {
  const check = new InputCheck();
  const expectation = check.expectation(['expect'], { ...expect });
  check.traits(['traits'], traits);
  check.done();
  const answer = await write(scope, 'replace_traits', { provider, expect: expectation, traits }, (reason) =>
    reason.code === 'NOT_FOUND' && reason.details.noun === 'trait'
      ? ['traits', traits.indexOf(reason.details.key)]
      : locateProvider(reason),
  );
  return answer.providers[0];
}

/**
 * Replaces all aggregates, and creates new ones; uuids may have any spelling, which is kept. With `keepGeneration` the provider's generation stays,
 * as before microversion 1.19. Refuses NOT_FOUND, PROVIDER_CONFLICT.
 */
export async function replaceAggregates(
  scope: RequestScope,
  {
    resourceProvider: provider,
    expect,
    aggregates,
    keepGeneration,
  }: {
    readonly resourceProvider: string;
    readonly expect: ProviderExpectation;
    readonly aggregates: readonly string[];
    readonly keepGeneration?: boolean;
  },
): Promise<Provider> {
  const check = new InputCheck();
  const expectation = check.expectation(['expect'], { ...expect });
  check.size(['aggregates'], aggregates, 0, limits.providerAggregates);
  check.done();
  const request = { provider, expect: expectation, aggregates, keepGeneration };
  return (await write(scope, 'replace_aggregates', request, locateProvider)).providers[0];
}

/** Sets the display name of an aggregate, or removes it (null). Refuses DUPLICATE. */
export async function nameAggregate(
  scope: RequestScope,
  { aggregate, name }: { readonly aggregate: string; readonly name?: Optional<string> },
): Promise<Aggregate | null> {
  const check = new InputCheck();
  check.name(['name'], name);
  check.done();
  await write(scope, 'name_aggregate', { aggregate, name: name ?? null }, () => ['name']);
  return scope.loaders.aggregateByUuid.load(aggregate);
}
