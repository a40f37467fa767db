// Resource providers: lists, single ones, and writes.

import { randomUUID } from 'node:crypto';
import { limits } from '../../domain/limits.ts';
import { findTextFault } from '../../domain/text.ts';
import type { ListedProvider } from '../../domain/unpaged.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { ProviderFilterInput } from '../../operations/loaders/provider-filter.ts';
import { createResourceProvider, deleteResourceProvider, updateResourceProvider } from '../../operations/providers/provider-writes.ts';
import { areManyProviders, getListedProvider, listAllProviders, withParentAndRoot } from '../../operations/unpaged/providers.ts';
import type { Answer, Call } from '../call.ts';
import { has, type Microversion } from '../microversions.ts';
import { latest } from '../moments.ts';
import { providerOf } from '../params.ts';
import { renderProvider, renderProviders } from '../provider-bodies.ts';
import { parseMemberOf, parseRequired, parseResources, type Query } from '../query.ts';

/** GET /resource_providers: all that match, oldest first. */
export async function listProviders(call: Call): Promise<Answer> {
  const providers = await listAllProviders(call.scope, filterOf(call.query, call.version));
  return { body: renderProviders(providers, call), lastModified: latest(providers) };
}

/** Whether the list can be long: unless the query limits it to one provider or tree, it can contain all providers. */
export function listsMany({ query, scope }: Call): boolean {
  return !query.last('uuid') && !query.last('name') && !query.last('in_tree') && areManyProviders(scope);
}

function filterOf(query: Query, version: Microversion): ProviderFilterInput {
  const [name, uuid, tree, resources] = [query.last('name'), query.last('uuid'), query.last('in_tree'), query.last('resources')];
  return {
    // An empty name is not a condition; an invalid one matches no provider.
    ...(name && { names: findTextFault(name, { maxLength: limits.nameLength }) === null ? [name] : [] }),
    ...(uuid !== undefined && { uuids: [parseUuid(uuid) ?? uuid] }),
    ...(tree !== undefined && { inTrees: [parseUuid(tree) ?? tree] }),
    ...(resources !== undefined && { fits: parseResources(resources) }),
    traits: parseRequired(query.all('required'), version),
    aggregates: parseMemberOf(query.all('member_of'), version),
  };
}

/** GET /resource_providers/{uuid}: 404 if there is none. */
export async function showProvider(call: Call): Promise<Answer> {
  return answerWith(call, await getListedProvider(call.scope, providerOf(call)));
}

interface ProviderBody {
  readonly name: string;
  readonly uuid?: string;
  readonly parent_provider_uuid?: string | null;
}

/** POST /resource_providers: 201 without a body up to 1.19, 200 with the provider since. 400 for an invalid parent, 409 for a duplicate. */
export async function createProvider(call: Call): Promise<Answer> {
  const { name, uuid, parent_provider_uuid: parent } = call.body as ProviderBody;
  const { resourceProvider: created } = await createResourceProvider(call.scope, {
    name,
    uuid: uuid === undefined ? randomUUID() : parseUuid(uuid),
    parent: parent ? parseUuid(parent) : null,
  });
  const location = `/resource_providers/${created.uuid}`;
  if (!has(call.version, 'createdProviderBody')) return { status: 201, location };
  return { ...answerWith(call, await withParentAndRoot(call.scope, created)), location };
}

/** PUT /resource_providers/{uuid}: name and, since 1.14, parent; since 1.37 it may change an existing parent. The generation stays. */
export async function updateProvider(call: Call): Promise<Answer> {
  const { name, parent_provider_uuid: parent } = call.body as ProviderBody;
  const updated = await updateResourceProvider(call.scope, {
    resourceProvider: providerOf(call),
    expect: { unchecked: true },
    name,
    ...(parent !== undefined && { newParent: parent === null ? { none: true } : { resourceProvider: parseUuid(parent) } }),
    keepParent: !has(call.version, 'reparenting'),
    keepGeneration: true,
  });
  return answerWith(call, await withParentAndRoot(call.scope, updated));
}

/** DELETE /resource_providers/{uuid}: 409 if it has children or is in use. */
export async function deleteProvider(call: Call): Promise<Answer> {
  await deleteResourceProvider(call.scope, { resourceProvider: providerOf(call), expect: { unchecked: true } });
  return {};
}

function answerWith(call: Call, provider: ListedProvider): Answer {
  return { body: renderProvider(provider, call), lastModified: provider.updatedAt };
}
