// Writes of allocations. Each is one call of one function, regardless of the number of consumers; the capacity rules are in
// db/writes/steps/take_room.sql and domain/inventory.ts.
import type { AllocationsAnswer, DesiredConsumer, HeldAmount, WrittenAffinity } from '../../db/writes/contract.ts';
import type { AllocationInput } from '../../domain/allocation.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { consumerTypeFault } from '../../domain/text.ts';
import { mapInTurn } from '../request/event-loop-share.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';
import { type Locate, write } from '../scope/write.ts';
import { parseClaimToken } from './claim-token.ts';
import { type ExpiryInput, parseExpiry } from './expiry.ts';
import { countingRefusals } from './refused-claims.ts';

export interface ConsumerExpectation {
  readonly generation?: Optional<number>;
  readonly isNew?: Optional<boolean>;
  /** Skips the check of the consumer's state: it may or may not exist, in any generation. */
  readonly unchecked?: Optional<boolean>;
}

/** The desired state of one consumer. */
export interface ConsumerAllocations {
  readonly consumer: string;
  readonly expect: ConsumerExpectation;
  readonly hold: {
    readonly allocations?: Optional<readonly AllocationInput[]>;
    readonly claimToken?: Optional<string>;
    readonly takeFrom?: Optional<string>;
  };
  readonly project?: Optional<string>;
  readonly user?: Optional<string>;
  readonly consumerType?: Optional<string>;
  readonly expiry?: Optional<ExpiryInput>;
  /** Uuid of the reservation that it claims from. */
  readonly reservation?: Optional<string>;
}

/** The result of an allocation write: rows as of its commit; consumers in the order of the input, null for those without allocations now. */
export type AllocationsWritten = AllocationsAnswer;

const maxConsumers = limits.writeConsumers;
const maxRows = limits.writeAmounts;

interface AllocationsInput {
  readonly consumers: readonly ConsumerAllocations[];
  readonly affinity?: WrittenAffinity | undefined;
  /** No quota refuses it: the consumers are there already, or must go. */
  readonly isExempt?: boolean;
}

/**
 * Replaces all allocations of 1 to 1,000 consumers, all or nothing. Refuses NOT_FOUND, CONSUMER_CONFLICT, NO_INVENTORY, UNIT_VIOLATION,
 * CAPACITY_EXCEEDED, QUOTA_EXCEEDED, AFFINITY_VIOLATION, IDEMPOTENCY_KEY_REUSED; never because of a provider's generation.
 */
export function replaceAllocations(scope: RequestScope, input: AllocationsInput, besides?: unknown): Promise<AllocationsWritten> {
  return countingRefusals(scope, () => tryAllocations(scope, input, besides));
}

/** replaceAllocations as one attempt of a claim that makes several: its refusal is not counted. */
export async function tryAllocations(
  scope: RequestScope,
  { consumers, affinity, isExempt = false }: AllocationsInput,
  besides?: unknown,
): Promise<AllocationsWritten> {
  const check = new InputCheck();
  check.size(['consumers'], consumers, 1, maxConsumers);
  const hasQuotas = !isExempt && (scope.mutation !== null || scope.quotasOfRest);
  const request = {
    consumers: await parseConsumers(check, ['consumers'], consumers),
    ...(affinity && { affinity }),
    ...(hasQuotas ? { hasQuotas: true as const } : {}),
  };
  check.done();
  return write(scope, 'replace_allocations', request, locateAllocation(['consumers'], consumers), besides);
}

export interface Move {
  readonly from: string;
  readonly expectFrom: ConsumerExpectation;
  readonly to: string;
  readonly expectTo: ConsumerExpectation;
  /** The type of the receiving consumer. */
  readonly consumerType?: Optional<string>;
  /** Whether the receiving consumer expires when the giving one would, or later if it does so itself; otherwise it keeps its expiry. */
  readonly takesExpiry?: true;
}

/** Moves all allocations from one consumer to another atomically. Refuses NOT_FOUND (no allocations), CONSUMER_CONFLICT, UNIT_VIOLATION. */
export async function moveAllocations(scope: RequestScope, input: Move, besides?: unknown): Promise<AllocationsWritten> {
  const { from, to, consumerType, takesExpiry } = input;
  const check = new InputCheck();
  if (from === to) check.add(['to'], 'to must be another consumer than from');
  if (typeof consumerType === 'string') check.fault(['consumerType'], consumerTypeFault(consumerType));
  const expectTo = check.expectation(['expectTo'], { ...input.expectTo });
  const expectFrom = check.expectation(['expectFrom'], { ...input.expectFrom });
  check.done();
  const receiver = {
    uuid: to,
    expect: expectTo,
    takeFrom: from,
    allocations: [],
    type: consumerType ?? null,
    keepType: typeof consumerType !== 'string',
    ...(takesExpiry && { takesExpiry }),
  };
  const request = { consumers: [receiver, { uuid: from, expect: expectFrom, allocations: [], keepType: true }] };
  const locate: Locate = ({ code, details }) => {
    if (code === 'CONSUMER_CONFLICT') return [details.consumer === to ? 'expectTo' : 'expectFrom'];
    return code === 'NOT_FOUND' ? ['from'] : [];
  };
  return countingRefusals(scope, () => write(scope, 'move_allocations', request, locate, besides));
}

/** Lets 1 to 1,000 consumers expire at another moment, or last, all or nothing. Refuses NOT_FOUND, CONSUMER_CONFLICT, INVALID_INPUT. */
export async function setExpiry(
  scope: RequestScope,
  {
    consumers,
  }: { readonly consumers: readonly { readonly consumer: string; readonly expect: ReleaseExpectation; readonly expiry: ExpiryInput }[] },
) {
  const check = new InputCheck();
  check.size(['consumers'], consumers, 1, maxConsumers);
  checkUniqueConsumers(check, ['consumers'], consumers);
  const request = {
    consumers: consumers.map(({ consumer, expect, expiry }, index) => ({
      uuid: consumer,
      expect: check.expectation(['consumers', index, 'expect'], { ...expect }),
      allocations: [],
      ...parseExpiry(check, ['consumers', index, 'expiry'], expiry),
    })),
  };
  check.done();
  return write(scope, 'set_expiry', request, ({ code, details }) => {
    const index = consumers.findIndex(
      ({ consumer }) => consumer === ('consumer' in details ? details.consumer : 'key' in details && details.key),
    );
    if (index < 0) return [];
    return ['consumers', index, code === 'NOT_FOUND' ? 'consumer' : code === 'CONSUMER_CONFLICT' ? 'expect' : 'expiry'];
  });
}

export type ReleaseExpectation = Omit<ConsumerExpectation, 'isNew'>;

export interface Release {
  readonly consumers: readonly {
    readonly consumer: string;
    readonly expect: ReleaseExpectation;
    /** The id of its row, for callers that decided by what they read: the consumer must not have been released and created again meanwhile. */
    readonly id?: number;
  }[];
  /** Whether the generations of the providers stay as they are; by default they are incremented. */
  readonly keepGenerations?: boolean;
}

/** Releases 1 to 1,000 consumers, all or nothing. Refuses CONSUMER_CONFLICT. `released` contains those that had allocations. */
export async function releaseAllocations(scope: RequestScope, { consumers, keepGenerations }: Release, besides?: unknown) {
  const check = new InputCheck();
  check.size(['consumers'], consumers, 1, maxConsumers);
  checkUniqueConsumers(check, ['consumers'], consumers);
  const request = {
    consumers: consumers.map(({ consumer, expect, id }, index) => ({
      uuid: consumer,
      expect: { ...check.expectation(['consumers', index, 'expect'], { ...expect }), ...(id !== undefined && { id }) },
      allocations: [],
    })),
    ...(keepGenerations && { keepGenerations }),
  };
  check.done();
  const written = await write(scope, 'release_allocations', request, locateAllocation(['consumers'], consumers), besides);
  const held = new Set(written.touched);
  return { ...written, released: consumers.map(({ consumer }) => consumer).filter((consumer) => held.has(consumer)) };
}

/** Checks consumers with their desired allocations, and converts them to the form of the write functions. */
export async function parseConsumers(
  check: InputCheck,
  path: readonly string[],
  consumers: readonly ConsumerAllocations[],
): Promise<DesiredConsumer[]> {
  checkUniqueConsumers(check, path, consumers);
  const named = new Set(consumers.map(({ consumer }) => consumer));
  const sources = consumers.map(({ hold }) => hold.takeFrom);
  let rows = 0;
  return mapInTurn(consumers, ({ consumer, expect, hold, project, user, consumerType, expiry, reservation }, index) => {
    const here = [...path, index];
    check.text([...here, 'project'], project, limits.vocabularyLength);
    check.text([...here, 'user'], user, limits.vocabularyLength);
    if (typeof consumerType === 'string') check.fault([...here, 'consumerType'], consumerTypeFault(consumerType));
    const takes = typeof hold.takeFrom === 'string';
    const token = typeof hold.claimToken === 'string' ? hold.claimToken : null;
    if ([takes, token !== null, Array.isArray(hold.allocations)].filter(Boolean).length !== 1) {
      check.add([...here, 'hold'], 'must have exactly one of allocations, claimToken and takeFrom');
    }
    if (typeof hold.takeFrom === 'string' && (hold.takeFrom === consumer || !named.has(hold.takeFrom))) {
      check.add([...here, 'hold', 'takeFrom'], 'takeFrom must be another consumer of this request');
    }
    // The allocations of a consumer can be taken over only once.
    if (takes && sources.indexOf(hold.takeFrom) !== index)
      check.add([...here, 'hold', 'takeFrom'], 'takeFrom must be a consumer that no other one takes over from');
    const allocations =
      token === null
        ? checkAllocations(check, [...here, 'hold', 'allocations'], hold.allocations ?? [])
        : checkToken(check, [...here, 'hold', 'claimToken'], token);
    rows += allocations.length;
    if (rows > maxRows) {
      check.add(path, `must have at most ${maxRows} amounts in all`);
      check.done();
    }
    return {
      uuid: consumer,
      expect: check.expectation([...here, 'expect'], { ...expect }),
      ...(typeof hold.takeFrom === 'string' ? { takeFrom: hold.takeFrom } : {}),
      allocations,
      project: project ?? null,
      user: user ?? null,
      type: consumerType ?? null,
      keepType: typeof consumerType !== 'string',
      ...parseExpiry(check, [...here, 'expiry'], expiry),
      ...(typeof reservation === 'string' && { reservation }),
    };
  });
}

function checkToken(check: InputCheck, path: readonly (string | number)[], token: string): HeldAmount[] {
  const allocations = parseClaimToken(token);
  const inner = new InputCheck();
  const rows = allocations ? checkAllocations(inner, [], allocations) : [];
  if (allocations === null || !inner.isClean) check.add(path, 'claimToken is not the token of a candidate');
  return rows;
}

/** Checks allocations of one consumer or reservation, and converts them to rows. */
export function checkAllocations(
  check: InputCheck,
  path: readonly (string | number)[],
  allocations: readonly AllocationInput[],
): HeldAmount[] {
  check.unique(
    path,
    allocations.map(({ resourceProvider }) => resourceProvider),
    (index) => [index, 'resourceProvider'],
  );
  return allocations.flatMap(({ resourceProvider: provider, resources }, index) => {
    const here = [...path, index, 'resources'];
    check.size(here, resources, 1, limits.providerAmounts);
    check.unique(
      here,
      resources.map(({ resourceClass }) => resourceClass),
      (row) => [row, 'resourceClass'],
    );
    return resources.map(({ resourceClass, amount }, row) => {
      check.className([...here, row, 'resourceClass'], resourceClass);
      if (!Number.isSafeInteger(amount) || amount < 1) check.add([...here, row, 'amount'], 'amount must be a whole number of at least 1');
      return { provider, resourceClass, amount };
    });
  });
}

function checkUniqueConsumers(check: InputCheck, path: readonly string[], consumers: readonly { readonly consumer: string }[]): void {
  check.unique(
    path,
    consumers.map(({ consumer }) => consumer),
    (index) => [index, 'consumer'],
  );
}

/** The path of the consumer that a refusal is about. */
export function locateAllocation(
  path: readonly string[],
  consumers: readonly {
    readonly consumer: string;
    readonly hold?: ConsumerAllocations['hold'];
    readonly reservation?: Optional<string>;
  }[],
): Locate {
  return ({ code, details }) => {
    if (code === 'NOT_FOUND') return locateMissing(path, consumers, details.key);
    if (!('consumer' in details)) return [];
    const index = consumers.findIndex(({ consumer }) => consumer === details.consumer);
    if (index < 0) return [];
    if (code === 'CONSUMER_CONFLICT') return [...path, index, 'expect'];
    // The message begins with the name of the field.
    const [field] = (code === 'INVALID_INPUT' && /^(expiry|reservation)\b/.exec(details.message)) || [];
    if (field) return [...path, index, field];
    if (!('resourceClass' in details) || code === 'QUOTA_EXCEEDED') return [...path, index];
    const allocations = consumers[index]?.hold?.allocations ?? [];
    const allocation = allocations.findIndex(({ resourceProvider }) => resourceProvider === details.provider);
    const row = allocations[allocation]?.resources.findIndex(({ resourceClass }) => resourceClass === details.resourceClass) ?? -1;
    if (typeof consumers[index]?.hold?.claimToken === 'string') return [...path, index, 'hold', 'claimToken'];
    return row < 0 ? [...path, index, 'hold'] : [...path, index, 'hold', 'allocations', allocation, 'resources', row, 'amount'];
  };
}

/** A missing provider, class or source: the first place where the input names it. */
function locateMissing(
  path: readonly string[],
  consumers: readonly { readonly hold?: ConsumerAllocations['hold']; readonly reservation?: Optional<string> }[],
  key: string,
): readonly (string | number)[] {
  for (const [index, { hold, reservation }] of consumers.entries()) {
    if (reservation === key) return [...path, index, 'reservation'];
    if (hold?.takeFrom === key) return [...path, index, 'hold', 'takeFrom'];
    const candidate = typeof hold?.claimToken === 'string' ? parseClaimToken(hold.claimToken) : null;
    if (
      candidate?.some(
        ({ resourceProvider, resources }) => resourceProvider === key || resources.some(({ resourceClass }) => resourceClass === key),
      )
    ) {
      return [...path, index, 'hold', 'claimToken'];
    }
    for (const [place, { resourceProvider, resources }] of (hold?.allocations ?? []).entries()) {
      const here = [...path, index, 'hold', 'allocations', place];
      if (resourceProvider === key) return [...here, 'resourceProvider'];
      const row = resources.findIndex(({ resourceClass }: { resourceClass: string }) => resourceClass === key);
      if (row >= 0) return [...here, 'resources', row, 'resourceClass'];
    }
  }
  return [];
}
