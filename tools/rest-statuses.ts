// The statuses of each operation of the Placement REST API: success, and its specific refusals. Statuses common to all operations are in
// the text of rest-reference.ts. The fuzz test checks the API against this table.

export interface Statuses {
  readonly success: Readonly<Record<number, string>>;
  readonly refusals: Readonly<Record<number, string>>;
}

const noProvider = 'the provider does not exist';
const stale = 'the generation is stale';
const unknownNames = 'a requested trait or class does not exist';
const cannotAllocate =
  'a provider lacks the requested inventory, room or units; the generation of a consumer differs; since 1.23 with the code `placement.concurrent_update` if a retry may succeed';
const badAllocations = 'a provider or class does not exist; the consumer claims from a reservation of another project';
const beyondQuota = 'a quota would be exceeded, if `PLACEMENT_REST_QUOTAS` is on; since 1.23 with the code `placement.quota_exceeded`';

const entry = (success: Statuses['success'], refusals: Statuses['refusals'] = {}): Statuses => ({ success, refusals });
const read = entry({ 200: 'the document' });
const readOfProvider = entry({ 200: 'the document' }, { 404: noProvider });
const cleared = (refusals: Statuses['refusals']) => entry({ 204: 'deleted' }, refusals);
const ensured = entry({ 201: 'created', 204: 'it already existed' }, { 400: 'the name is not that of a custom class or trait' });

const provider = '/resource_providers/{uuid}';

/** By method and path. */
export const statuses: Readonly<Record<string, Statuses>> = {
  'GET ': read,
  'GET /resource_providers': entry({ 200: 'the list' }, { 400: unknownNames }),
  'POST /resource_providers': entry(
    { 200: 'created; the provider (since 1.20)', 201: 'created; no body (before 1.20)' },
    { 400: 'the parent does not exist, or is the provider itself', 409: 'the name or the uuid is taken' },
  ),
  [`GET ${provider}`]: readOfProvider,
  [`PUT ${provider}`]: entry(
    { 200: 'the provider' },
    { 400: 'the parent does not exist, makes a loop, or would change before 1.37', 404: noProvider, 409: 'the name is taken' },
  ),
  [`DELETE ${provider}`]: cleared({ 404: noProvider, 409: 'it has children or allocations, or a reservation keeps something of it' }),
  [`GET ${provider}/inventories`]: readOfProvider,
  [`POST ${provider}/inventories`]: entry(
    { 201: 'the inventory' },
    { 400: 'the class does not exist, or everything would be reserved', 404: noProvider, 409: 'an inventory of the class already exists' },
  ),
  [`PUT ${provider}/inventories`]: entry(
    { 200: 'the inventories' },
    {
      400: 'a class does not exist, or everything would be reserved',
      404: noProvider,
      409: `${stale}, or an inventory that is in use or kept by a reservation would be deleted`,
    },
  ),
  [`DELETE ${provider}/inventories`]: cleared({ 404: noProvider, 409: 'an inventory is in use, or a reservation keeps something of it' }),
  [`GET ${provider}/inventories/{resource_class}`]: entry(
    { 200: 'the inventory' },
    { 404: 'the provider does not exist, or has no inventory of the class' },
  ),
  [`PUT ${provider}/inventories/{resource_class}`]: entry(
    { 200: 'the inventory' },
    { 400: 'the provider has no inventory of the class, or everything would be reserved', 404: noProvider, 409: stale },
  ),
  [`DELETE ${provider}/inventories/{resource_class}`]: cleared({
    404: 'the provider does not exist, or has no inventory of the class',
    409: 'it is in use, or a reservation keeps something of it',
  }),
  [`GET ${provider}/usages`]: readOfProvider,
  [`GET ${provider}/allocations`]: readOfProvider,
  [`GET ${provider}/aggregates`]: readOfProvider,
  [`PUT ${provider}/aggregates`]: entry({ 200: 'the aggregates' }, { 404: noProvider, 409: `${stale} (since 1.19)` }),
  [`GET ${provider}/traits`]: readOfProvider,
  [`PUT ${provider}/traits`]: entry({ 200: 'the traits' }, { 400: 'a trait does not exist', 404: noProvider, 409: stale }),
  [`DELETE ${provider}/traits`]: cleared({ 404: noProvider }),
  'GET /traits': read,
  'GET /traits/{name}': entry({ 204: 'it exists' }, { 404: 'it does not exist' }),
  'PUT /traits/{name}': ensured,
  'DELETE /traits/{name}': cleared({ 400: 'it is a standard class or trait', 404: 'the trait does not exist', 409: 'a provider has it' }),
  'GET /resource_classes': read,
  'POST /resource_classes': entry({ 201: 'created' }, { 409: 'the name is taken' }),
  'GET /resource_classes/{name}': entry({ 200: 'the class' }, { 404: 'the class does not exist' }),
  'PUT /resource_classes/{name}': entry(
    { 200: 'the class (before 1.7)', ...ensured.success },
    {
      400: 'the name is not that of a custom class or trait',
      404: 'the class does not exist (before 1.7)',
      409: 'the new name is taken (before 1.7)',
    },
  ),
  'DELETE /resource_classes/{name}': cleared({
    400: 'it is a standard class or trait',
    404: 'the class does not exist',
    409: 'it is in use',
  }),
  'GET /allocations/{consumer_uuid}': entry({ 200: 'its allocations; none for an unknown consumer' }),
  'PUT /allocations/{consumer_uuid}': entry({ 204: 'written' }, { 400: badAllocations, 403: beyondQuota, 409: cannotAllocate }),
  'DELETE /allocations/{consumer_uuid}': cleared({ 404: 'it has no allocations' }),
  'POST /allocations': entry({ 204: 'written, all of it' }, { 400: badAllocations, 403: beyondQuota, 409: cannotAllocate }),
  'GET /allocation_candidates': entry({ 200: 'the candidates; an empty list if nothing fits' }, { 400: unknownNames }),
  'GET /usages': read,
  'POST /reshaper': entry(
    { 204: 'written, all of it' },
    { 400: badAllocations, 409: `${stale}; an inventory that is in use or kept by a reservation would be deleted; ${cannotAllocate}` },
  ),
};
