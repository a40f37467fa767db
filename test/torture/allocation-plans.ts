// The operations on consumers, as clients of both surfaces send them, with what each requires and wants: the subject of most checks.
import type { Dice } from '../support/dice.ts';
import type { Body, Request } from './client.ts';
import { type Cloud, type Place, pick } from './cloud.ts';
import type { Held, Intent, Reading } from './history.ts';

/** An operation that is about to be sent. */
export interface Plan extends Intent {
  readonly name: string;
  readonly kind: 'read' | 'write';
  /** With an idempotency key, or null: REST has none. */
  readonly request: (key: string | null) => Request;
  readonly takesKey: boolean;
  /** The places whose consumers it changes: read again unless it is told to be done. */
  readonly places?: readonly Place[];
}

export type Planner = (roll: Dice, cloud: Cloud) => Plan;

/** A mutation with everything that the checker wants to know. */
export function mutation(field: string, input: object, fields: string, more: Partial<Plan> = {}): Plan {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
  const query = `mutation ($input: ${type}) { payload: ${field}(input: $input) { event { id } replayed userErrors { code message ... on ConsumerConflict { consumerUuid actual } ... on ReservationConflict { reservationUuid actual } } ${fields} } }`;
  const request = (key: string | null): Request => ({
    route: 'graphql',
    body: { query, variables: { input: key === null ? input : { ...input, idempotencyKey: key } } },
    readingsIn: readingsInPayload,
  });
  return { name: field, kind: 'write', request, takesKey: true, ...more };
}

export function rest(route: string, body: unknown, more: Partial<Plan> = {}, readingsIn?: Request['readingsIn']): Plan {
  const name = `${route.split(' ')[0]} ${route.replace(/^\S+ /, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`;
  const request = (): Request => ({ route, body, ...(readingsIn && { readingsIn }) });
  return { name, kind: 'write', request, takesKey: false, ...more };
}

interface Payload {
  readonly consumer?: Shown | null;
  readonly consumers?: readonly (Shown | null)[] | null;
  readonly claims?: readonly { readonly consumer?: Shown }[] | null;
  readonly reservation?: (Shown & { readonly amounts: readonly ReservedAmount[] }) | null;
  readonly releasedUuid?: string | null;
  readonly resourceProvider?: Shown | null;
  readonly resourceProviders?: readonly (Shown | null)[] | null;
  readonly userErrors?: readonly { readonly consumerUuid?: string; readonly reservationUuid?: string; readonly actual?: number | null }[];
}

interface ReservedAmount {
  /** Null if it could not be read. */
  readonly resourceProvider: { readonly uuid: string } | null;
  readonly resourceClassName: string;
  readonly amount: number;
}

interface Shown {
  readonly uuid: string;
  readonly generation: number;
}

export function readingsInPayload(body: Body): Reading[] {
  const { payload } = (body.data ?? {}) as { payload?: Payload | null };
  const { consumer, consumers, claims, reservation, releasedUuid, resourceProvider, resourceProviders, userErrors = [] } = payload ?? {};
  const read = (subject: Reading['subject'], shown: readonly (Shown | null | undefined)[]) =>
    shown.flatMap((one) => (one ? [{ subject, uuid: one.uuid, generation: one.generation }] : []));
  return [
    ...read('consumer', [consumer, ...(consumers ?? []), ...(claims ?? []).map((claim) => claim.consumer)]),
    ...read('reservation', [reservation]).map((reading) => ({ ...reading, held: heldInAmounts(reservation?.amounts ?? []) })),
    ...(releasedUuid ? [{ subject: 'reservation' as const, uuid: releasedUuid, generation: null }] : []),
    ...read('provider', [resourceProvider, ...(resourceProviders ?? [])]),
    ...userErrors.flatMap(({ consumerUuid, reservationUuid, actual }): Reading[] => {
      const uuid = consumerUuid ?? reservationUuid;
      return uuid === undefined || actual === undefined
        ? []
        : [{ subject: consumerUuid ? 'consumer' : 'reservation', uuid, generation: actual }];
    }),
  ];
}

const heldInAmounts = (amounts: readonly ReservedAmount[]): Held =>
  Object.fromEntries(
    amounts.flatMap(({ resourceProvider, resourceClassName, amount }) =>
      resourceProvider ? [[`${resourceProvider.uuid}/${resourceClassName}`, amount]] : [],
    ),
  );

const shown = 'consumers { uuid generation } resourceProviders { uuid generation }';
const owner = (roll: Dice, { projects }: Cloud) => ({
  project: roll(20) === 0 ? `project ${roll(200)}` : pick(roll, projects),
  user: `user ${roll(3)}`,
  consumerType: pick(roll, ['INSTANCE', 'MIGRATION']),
});

/** The generation that a client requires: mostly the last one it heard of. */
export function expectation({ uuid, generation }: Pick<Place, 'uuid' | 'generation'>, roll: Dice): Reading {
  return { subject: 'consumer', uuid, generation: generation !== null && generation > 1 && roll(10) === 0 ? generation - 1 : generation };
}

export const expectInput = ({ generation }: Reading) => (generation === null ? { isNew: true } : { generation });

/** A moment by the clock of this machine, which is also that of the database. */
export const momentIn = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** When a consumer expires: most of those that do are soon gone. */
export const expiryAtRandom = (roll: Dice): object =>
  pick<object>(roll, [{ afterSeconds: 1 + roll(4) }, { at: momentIn(1000 + roll(4000)) }, { afterSeconds: 3600 }]);

/** Some consumers expire; others keep the expiry that they have. */
function maybeExpiring(roll: Dice, place: Place): { readonly expiry?: object } {
  if (roll(3) > 0) return {};
  place.mayExpire = true;
  return { expiry: expiryAtRandom(roll) };
}

/** Random allocations, most of them on a few providers that are always nearly full. */
function holdingAtRandom(roll: Dice, cloud: Cloud): Held {
  const held: Record<string, number> = {};
  for (let count = 1 + roll(3); count > 0; count -= 1) {
    const provider = pick(roll, roll(5) === 0 ? cloud.changing : cloud.steady);
    held[`${provider}/VCPU`] = 1 + roll(4);
    if (roll(3) === 0) held[`${provider}/MEMORY_MB`] = 1 + roll(16);
    // Of those that share storage it is moved away.
    if (roll(8) === 0) held[`${pick(roll, cloud.changing)}/DISK_GB`] = 1 + roll(2);
  }
  return held;
}

function resourcesByProvider(held: Held): Map<string, Record<string, number>> {
  const providers = new Map<string, Record<string, number>>();
  for (const [key, amount] of Object.entries(held)) {
    const [provider = '', resourceClass = ''] = key.split('/');
    providers.set(provider, { ...providers.get(provider), [resourceClass]: amount });
  }
  return providers;
}

export const allocationsInput = (held: Held) =>
  [...resourcesByProvider(held)].map(([resourceProvider, resources]) => ({
    resourceProvider,
    resources: Object.entries(resources).map(([resourceClass, amount]) => ({ resourceClass, amount })),
  }));

const allocationsBody = (held: Held) =>
  Object.fromEntries([...resourcesByProvider(held)].map(([provider, resources]) => [provider, { resources }]));

function consumersAtRandom(roll: Dice, cloud: Cloud, most: number) {
  const places = cloud.choosePlaces(roll, 1 + roll(most));
  const rows = places.map((place) => ({
    place,
    expected: expectation(place, roll),
    held: holdingAtRandom(roll, cloud),
    owner: owner(roll, cloud),
    expiring: maybeExpiring(roll, place),
  }));
  const intent = {
    places,
    alwaysWrites: true,
    expected: rows.map(({ expected }) => expected),
    wanted: Object.fromEntries(rows.map(({ place, held }) => [place.uuid, held])),
  };
  return { rows, intent };
}

type Row = ReturnType<typeof consumersAtRandom>['rows'][number];

const consumerInput = ({ place, expected, held, owner, expiring }: Row) => ({
  consumer: place.uuid,
  expect: expectInput(expected),
  hold: { allocations: allocationsInput(held) },
  ...owner,
  ...expiring,
});
const consumerBody = ({ expected, held, owner: { project, user, consumerType } }: Row) => ({
  allocations: allocationsBody(held),
  consumer_generation: expected.generation,
  project_id: project,
  user_id: user,
  consumer_type: consumerType,
});

/** One source, gone afterwards, and one target, new. */
function takeOver(roll: Dice, cloud: Cloud) {
  const [from, to] = cloud.choosePlaces(roll, 2) as [Place, Place];
  const [expectFrom, expectTo] = [expectation({ ...from }, roll), expectation(to, roll)];
  const intent = { places: [to], alwaysWrites: true, expected: [expectFrom, expectTo], wanted: { [from.uuid]: {} } };
  return { from, to, expectFrom, expectTo, intent };
}

/** Whatever their generations are. */
export const releaseOf = (uuids: readonly string[]): Plan =>
  mutation(
    'releaseAllocations',
    { consumers: uuids.map((consumer) => ({ consumer, expect: { unchecked: true } })) },
    'resourceProviders { uuid generation }',
    { wanted: Object.fromEntries(uuids.map((uuid) => [uuid, {}])) },
  );

export const allocationPlans: Readonly<Record<string, Planner>> = {
  replaceAllocations: (roll, cloud) => {
    const { rows, intent } = consumersAtRandom(roll, cloud, 1);
    return mutation('replaceAllocations', { consumers: rows.map(consumerInput) }, shown, intent);
  },
  'replaceAllocations of several': (roll, cloud) => {
    const { rows, intent } = consumersAtRandom(roll, cloud, 3);
    return mutation('replaceAllocations', { consumers: rows.map(consumerInput) }, shown, intent);
  },
  'replaceAllocations of a source and a target': (roll, cloud) => {
    const { from, to, expectFrom, expectTo, intent } = takeOver(roll, cloud);
    const known = { ...expectFrom, generation: expectFrom.generation ?? 1 };
    const consumers = [
      { consumer: to.uuid, expect: expectInput(expectTo), hold: { takeFrom: from.uuid } },
      { consumer: from.uuid, expect: expectInput(known), hold: { allocations: [] } },
    ];
    cloud.vacate(from);
    return mutation('replaceAllocations', { consumers }, shown, { ...intent, expected: [known, expectTo] });
  },
  releaseAllocations: (roll, cloud) => {
    const forgotten = roll(3) === 0 ? cloud.forgotten.consumers.shift() : undefined;
    if (forgotten) return releaseOf([forgotten]);
    const [place] = cloud.choosePlaces(roll, 1) as [Place];
    const { uuid, generation } = expectation(place, roll);
    const isGuarded = generation !== null && roll(2) === 0;
    cloud.vacate(place);
    return mutation(
      'releaseAllocations',
      { consumers: { consumer: uuid, expect: isGuarded ? { generation } : { unchecked: true } } },
      'releasedConsumerUuids resourceProviders { uuid generation }',
      { wanted: { [uuid]: {} }, ...(isGuarded && { expected: [{ subject: 'consumer', uuid, generation }] }) },
    );
  },
  claim: (roll, cloud) => {
    const [place] = cloud.choosePlaces(roll, 1) as [Place];
    const expected = expectation(place, roll);
    const input = {
      consumers: { consumer: place.uuid, expect: expectInput(expected), ...owner(roll, cloud), ...maybeExpiring(roll, place) },
      request: { groups: { resources: { resourceClass: 'VCPU', amount: 1 + roll(3) } }, limit: 5 },
    };
    return mutation('claim', input, 'claims { consumer { uuid generation } }', {
      places: [place],
      alwaysWrites: true,
      expected: [expected],
    });
  },
  'PUT /allocations': (roll, cloud) => {
    const { rows, intent } = consumersAtRandom(roll, cloud, 1);
    const [row] = rows as [Row];
    return rest(`PUT /allocations/${row.place.uuid}`, consumerBody(row), intent);
  },
  'POST /allocations': (roll, cloud) => {
    const { rows, intent } = consumersAtRandom(roll, cloud, 3);
    return rest('POST /allocations', Object.fromEntries(rows.map((row) => [row.place.uuid, consumerBody(row)])), intent);
  },
  'DELETE /allocations': (roll, cloud) => {
    const [place] = cloud.choosePlaces(roll, 1) as [Place];
    const { uuid } = place;
    cloud.vacate(place);
    return rest(`DELETE /allocations/${uuid}`, undefined, { wanted: { [uuid]: {} }, alwaysWrites: true });
  },
};

/** The consumer of a place, on one of the surfaces. */
export function readConsumer(roll: Dice, { uuid }: Place): Plan {
  const read = { name: 'read consumer', kind: 'read' as const };
  if (roll(2) === 0) {
    const query = `query ($uuid: UUID!) { consumer(uuid: $uuid) { generation allocations { resourceProvider { uuid } resourceClass { name } amount } } }`;
    return {
      ...mutation('read', {}, ''),
      ...read,
      request: () => ({ route: 'graphql', body: { query, variables: { uuid } }, readingsIn: (body) => consumerIn(body, uuid) }),
    };
  }
  return { ...rest(`GET /allocations/${uuid}`, undefined, {}, (body, status) => (status === 200 ? holdingsIn(body, uuid) : [])), ...read };
}

function consumerIn({ data, errors }: Body, uuid: string): Reading[] {
  const { consumer } = (data ?? {}) as {
    consumer?: {
      generation: number;
      allocations: { resourceProvider: { uuid: string } | null; resourceClass: { name: string }; amount: number }[];
    } | null;
  };
  if (errors || consumer === undefined) return [];
  if (consumer === null) return [{ subject: 'consumer', uuid, generation: null }];
  const held = Object.fromEntries(
    consumer.allocations.map(({ resourceProvider, resourceClass, amount }) => [`${resourceProvider?.uuid}/${resourceClass.name}`, amount]),
  );
  // A consumer that was released between the two statements of the answer shows no allocations.
  return [{ subject: 'consumer', uuid, generation: consumer.generation, ...(consumer.allocations.length > 0 && { held }) }];
}

function holdingsIn(body: Body, uuid: string): Reading[] {
  const { allocations = {}, consumer_generation: generation = null } = body as {
    allocations?: Record<string, { generation: number; resources: Record<string, number> }>;
    consumer_generation?: number | null;
  };
  const rows = Object.entries(allocations);
  const held = Object.fromEntries(
    rows.flatMap(([provider, { resources }]) => Object.entries(resources).map(([name, amount]) => [`${provider}/${name}`, amount])),
  );
  return [
    { subject: 'consumer', uuid, generation, ...(generation !== null && { held }) },
    ...rows.map(([provider, shown]): Reading => ({ subject: 'provider', uuid: provider, generation: shown.generation })),
  ];
}
