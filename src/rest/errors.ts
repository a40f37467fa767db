// Maps each refusal of an operation to a status, code and message. The messages are upstream's, which differ from route to route: clients parse them.
// Exhaustive, so that a new refusal does not compile until it is mapped here.
import { treesRule } from '../auth/policy/trees-rule.ts';
import type { Noun, Problem, Refusal, RefusalCode, RefusalDetails } from '../domain/errors.ts';
import { wordsOfQuota } from '../domain/quota.ts';
import { parseUuid } from '../domain/uuid.ts';
import { errorCodes, RestError } from './rest-error.ts';

/** The request that an operation refused. */
export interface Asked {
  /** Method and path of the route, such as `PUT /traits/{name}`. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The path in the operation's input that the reason concerns. */
  readonly path: readonly string[];
}

type Answers = { readonly [Code in RefusalCode]: (details: RefusalDetails[Code], asked: Asked) => RestError };

/** The response to a refusal. Of several problems, the first is reported, except that all unknown names are. */
export function errorOf(refusal: Refusal, asked: Omit<Asked, 'path'>): RestError {
  const [problem] = refusal.problems;
  if (problem === undefined) return new RestError(400, refusal.message);
  const unknown = refusal.problems.flatMap((other) => (isSameUnknown(problem, other) ? other.key : []));
  const details = problem.code === 'NOT_FOUND' ? { ...problem, key: [...new Set(unknown)].join(', ') } : problem;
  const answer = answers[problem.code] as (details: unknown, asked: Asked) => RestError;
  return answer(details, { ...asked, path: problem.path });
}

function isSameUnknown(problem: Problem, other: Problem): other is Extract<Problem, { code: 'NOT_FOUND' }> {
  return problem.code === 'NOT_FOUND' && other.code === 'NOT_FOUND' && problem.noun === other.noun;
}

const ownParent = 'parent provider UUID cannot be same as UUID. Please set parent provider UUID to None if there is no parent.';

function invalid({ message }: RefusalDetails['INVALID_INPUT'], asked: Asked): RestError {
  const [argument] = asked.path;
  const isNamed = (asked.body as { readonly name?: string } | undefined)?.name !== '';
  const reason = argument === 'parent' ? ownParent : argument === 'name' && !isNamed ? 'name is required' : underItsName(message, asked);
  return new RestError(400, inContext(reason, asked));
}

/** The names of arguments in bodies and queries, if they differ from those of the operations. */
const namesHere: Readonly<Record<string, string>> = {
  names: 'name',
  fits: 'resources',
  resourceClass: 'resource_class',
  projects: 'project_id',
  project: 'project_id',
  users: 'user_id',
  user: 'user_id',
};
const namesInQueries: Readonly<Record<string, string>> = { traits: 'required', aggregates: 'member_of' };

/** The message under the name of its argument. In operations, a message begins with the last step of its path, which can be an index, or with no name. */
function underItsName(message: string, { path, route }: Asked): string {
  const known = route.startsWith('GET') ? { ...namesHere, ...namesInQueries } : namesHere;
  const step = path.findLast((each) => Object.hasOwn(known, each)) ?? path.findLast((each) => !/^\d+$/.test(each));
  const from = message.startsWith(`${path.at(-1)} must `) ? message.indexOf(' must ') + 1 : 0;
  return step !== undefined && message.startsWith('must ', from) ? `${known[step] ?? step} ${message.slice(from)}` : message;
}

const answers: Answers = {
  INVALID_INPUT: invalid,
  IDEMPOTENCY_KEY_REUSED: ({ key }) => new RestError(409, `The idempotency key ${key} was used with other input.`),
  FORBIDDEN: () => new RestError(403, `Policy does not allow ${treesRule} to be performed.`),
  NOT_FOUND: ({ noun, key }, asked) => missing[noun](key, asked),
  DUPLICATE: ({ noun, field, key }, asked) => duplicate(noun, field, key, asked),
  STANDARD_NAME: standardName,
  CONSUMER_CONFLICT: ({ consumer, expected, actual }, { body }) => {
    const given = expected === null ? 'None' : (givenGeneration(consumer, body) ?? expected);
    const words = actual === null ? `expected null but got ${given}` : `expected ${actual} but got ${given}`;
    return new RestError(409, `consumer generation conflict - ${words}`, { code: errorCodes.concurrentUpdate });
  },
  PROVIDER_CONFLICT: (details, asked) => new RestError(409, conflictOf(details, asked), { code: errorCodes.concurrentUpdate }),
  SELECTION_CONFLICT: ({ expectedCount, matchedCount }) => new RestError(409, `${matchedCount} match, but ${expectedCount} were expected.`),
  SETTINGS_CONFLICT: ({ expected, actual }) => new RestError(409, `The settings have generation ${actual}, but ${expected} was expected.`),
  RESERVATION_CONFLICT: ({ reservation, expected, actual }) =>
    new RestError(409, `Reservation ${reservation} has generation ${actual}, but ${expected} was expected.`),
  PARENT_LOOP: (_, asked) => new RestError(400, inContext('creating loop in the provider tree is not allowed.', asked)),
  HAS_CHILDREN: ({ provider }) =>
    new RestError(409, `Unable to delete parent resource provider ${provider}: It has child resource providers.`, {
      code: errorCodes.cannotDeleteParent,
    }),
  IN_USE: inUse,
  NO_INVENTORY: ({ resourceClass, provider }) =>
    cannotAllocate(`Inventory for '${resourceClass}' on resource provider '${provider}' invalid.`),
  UNIT_VIOLATION: (details) => cannotAllocate(`${cannotCreate(details)} violate inventory constraints.`),
  AFFINITY_VIOLATION: ({ consumer, provider }) => cannotAllocate(`Consumer ${consumer} may not be on ${provider}.`),
  // In the words of oslo.limit.
  QUOTA_EXCEEDED: ({ project, amount, used, requested, ...subject }) =>
    new RestError(
      403,
      `Project ${project} is over a limit for [Resource ${wordsOfQuota(subject)} is over limit of ${amount} due to current usage ${used} and delta ${requested}]`,
      { code: errorCodes.quotaExceeded },
    ),
  NO_CANDIDATES: ({ explanation }) => cannotAllocate(explanation.summary),
  CAPACITY_EXCEEDED: (details) => cannotAllocate(`${cannotCreate(details)} exceed the capacity.`),
};

/** The generation in the body. It may differ from the operation's, which replaces impossible generations by one that matches none. */
function givenGeneration(consumer: string, body: unknown): number | undefined {
  const { allocations } = body as { readonly allocations?: unknown };
  const places = [
    body,
    ...[body, allocations].flatMap((consumers) =>
      Object.entries(Object(consumers)).flatMap(([uuid, one]) => (parseUuid(uuid) === consumer ? [one] : [])),
    ),
  ];
  const found = places.map((place) => (Object(place) as { readonly consumer_generation?: unknown }).consumer_generation);
  return found.find((generation): generation is number => typeof generation === 'number');
}

function standardName({ noun, key }: RefusalDetails['STANDARD_NAME'], { route }: Asked): RestError {
  if (noun === 'trait') return new RestError(400, `Cannot delete standard trait ${key}.`);
  const words = `standard resource class ${key}`;
  return new RestError(400, route.startsWith('PUT') ? `Cannot update ${words}` : `Error in delete resource class: Cannot delete ${words}.`);
}

function conflictOf({ provider, expected, actual }: RefusalDetails['PROVIDER_CONFLICT'], { route, body }: Asked): string {
  if (/\/(traits|aggregates)$/.test(route)) {
    return "Resource provider's generation already changed. Please update the generation and try again.";
  }
  const { inventories = {} } = body as {
    readonly inventories?: Readonly<Record<string, { readonly resource_provider_generation: number }>>;
  };
  const given = inventories[provider]?.resource_provider_generation ?? expected;
  const details = route === 'POST /reshaper' ? ` for provider ${provider}: actual: ${actual}, given: ${given}` : '';
  return `resource provider generation conflict${details}`;
}

function cannotAllocate(reason: string): RestError {
  return new RestError(409, `Unable to allocate inventory: ${reason}`);
}

function cannotCreate({ resourceClass, provider }: { readonly resourceClass: string; readonly provider: string }): string {
  return `Unable to create allocation for '${resourceClass}' on resource provider '${provider}'. The requested amount would`;
}

/** A reason with the prefix of the routes that write providers; unchanged for other routes. */
function inContext(reason: string, { route, params, body }: Asked, action = route.startsWith('POST') ? 'create' : 'update'): string {
  const words = `Object action ${action} failed because: ${reason}`;
  if (route === 'PUT /resource_providers/{uuid}') return `Unable to save resource provider ${params.uuid}: ${words}`;
  if (route !== 'POST /resource_providers') return reason;
  const { name, uuid = 'of no uuid' } = body as { readonly name: string; readonly uuid?: string };
  return `Unable to create resource provider "${name}", ${uuid}: ${words}`;
}

const allocationsOfConsumer = 'PUT /allocations/{consumer_uuid}';
const allocationWrites: ReadonlySet<string> = new Set([allocationsOfConsumer, 'POST /allocations', 'POST /reshaper']);

const missing: { readonly [Key in Noun]: (key: string, asked: Asked) => RestError } = {
  // REST has no services.
  service: (key) => new RestError(404, `No such service: ${key}`),
  resourceProvider: missingProvider,
  parent: (_, asked) => new RestError(400, inContext('parent provider UUID does not exist.', asked, 'create')),
  resourceClass: missingClass,
  trait: (key, { route }) => {
    const words = `No such trait(s): ${key}.`;
    if (route.endsWith('/traits/{name}')) return new RestError(404, words);
    if (route === 'GET /resource_providers') return new RestError(400, `Invalid trait(s) in "required" parameter: ${words}`);
    return new RestError(400, route.startsWith('PUT') ? `No such trait ${key}` : words);
  },
  inventory: (key, { route, params }) =>
    route.startsWith('PUT')
      ? new RestError(
          400,
          `No inventory record with resource class for resource provider ${params.uuid}: No inventory of class ${key} found.`,
        )
      : new RestError(404, `No inventory of class ${key} found for delete: No inventory of class ${key} found for delete`),
  aggregate: (key) => new RestError(404, `No such aggregate ${key}.`),
  consumer: (key) => new RestError(404, `No allocations for consumer '${key}'`),
  reservation: (key) => new RestError(404, `No such reservation ${key}.`),
  project: (key) => new RestError(404, `No such project ${key}.`),
};

function missingProvider(key: string, { route, path }: Asked): RestError {
  const words = `No resource provider with uuid ${key} found`;
  if (route === 'POST /reshaper' && path[0] === 'resourceProviders') {
    return new RestError(400, `Resource provider ${key} in inventories not found: ${words}`, { code: errorCodes.providerNotFound });
  }
  if (allocationWrites.has(route)) return new RestError(400, `Allocation for resource provider '${key}' that does not exist.`);
  if (route === 'DELETE /resource_providers/{uuid}') return new RestError(404, `${words} for delete`);
  if (route === 'GET /resource_providers/{uuid}/allocations') return new RestError(404, `Resource provider '${key}' not found: ${words}`);
  return new RestError(404, words);
}

/** The text before the name of an unknown class in a body. */
const whereClassIsNamed: Readonly<Record<string, (params: Asked['params']) => string>> = {
  [allocationsOfConsumer]: ({ consumer_uuid: consumer }) => `Unable to allocate inventory for consumer ${consumer}:`,
  'POST /allocations': () => 'Unable to allocate inventory',
  'POST /reshaper': () => 'malformed reshaper data:',
  'POST /resource_providers/{uuid}/inventories': ({ uuid }) => `Unable to create inventory for resource provider ${uuid}:`,
  'PUT /resource_providers/{uuid}/inventories': ({ uuid }) => `Unknown resource class in inventory for resource provider ${uuid}:`,
};

function missingClass(key: string, { route, params }: Asked): RestError {
  const words = `No such resource class ${key}.`;
  if (route.endsWith('/{name}') || route.endsWith('/inventories/{resource_class}')) return new RestError(404, words);
  const where = whereClassIsNamed[route]?.(params) ?? 'Invalid resource class in resources parameter:';
  return new RestError(400, `${where} ${words}`);
}

function duplicate(noun: Noun, field: 'name' | 'uuid', key: string, { route }: Asked): RestError {
  if (noun === 'inventory') {
    return new RestError(409, `Update conflict: there is an inventory of ${key} already`, { code: errorCodes.concurrentUpdate });
  }
  if (noun === 'resourceClass') return new RestError(409, `Resource class already exists: ${key}`);
  const called = route.startsWith('POST') ? `${field}: ${key}` : key;
  return new RestError(409, `Conflicting resource provider ${called} already exists.`, { code: errorCodes.duplicateName });
}

function inUse({ noun, key, provider, classes, by, count, isReserved }: RefusalDetails['IN_USE'], { route }: Asked): RestError {
  if (noun === 'trait') return new RestError(409, `The trait ${key} is in use by a resource provider.`);
  if (noun === 'resourceClass') {
    return new RestError(409, `Error in delete resource class: Cannot delete resource class ${key}. Class is in use in inventory.`);
  }
  // Upstream has no reservations: its words alone would point to allocations, of which there are none.
  const kept = `is kept by ${count === 1 ? 'reservation' : 'reservations'} ${by.join(', ')}${count > by.length ? ' and others' : ''}`;
  const keepers = isReserved ? kept : null;
  if (noun === 'resourceProvider') {
    return new RestError(409, `Unable to delete resource provider ${key}: Resource provider ${keepers ?? 'has allocations'}.`, {
      code: errorCodes.providerInUse,
    });
  }
  const inventory = (names: string) =>
    `Inventory for '${names}' on resource provider '${provider}' in use.${keepers === null ? '' : ` It ${keepers}.`}`;
  if (route === 'DELETE /resource_providers/{uuid}/inventories/{resource_class}') {
    const words = `Unable to delete inventory of class ${key}: ${inventory(key)}`;
    return new RestError(409, words, { code: errorCodes.concurrentUpdate });
  }
  const words = inventory((classes ?? [key]).join(', '));
  return new RestError(409, route.startsWith('DELETE') ? words : `update conflict: ${words}`, { code: errorCodes.inventoryInUse });
}
