// Puts providers and consumers into a test database in short notation: names instead of uuids, amounts instead of records.
// Everything goes through apply_write, as in the product; a refused write fails the test.
import { createHash } from 'node:crypto';
import type { Db } from '../../src/db/sql/client.ts';
import type { InventoryRecord } from '../../src/domain/inventory.ts';
import { limits } from '../../src/domain/limits.ts';

/** Amounts by class: `{ VCPU: 16 }`. */
export type Amounts = Readonly<Record<string, number>>;

export interface ProviderSeed {
  /** The name of a provider that already exists. */
  readonly parent?: string;
  /** By class: the total, or the fields that differ from the defaults. */
  readonly inventories?: Readonly<Record<string, number | (Partial<InventoryRecord> & Pick<InventoryRecord, 'total'>)>>;
  readonly traits?: readonly string[];
  /** Names; the uuid of each is `uuidOf(name)`. */
  readonly aggregates?: readonly string[];
}

export interface ConsumerSeed {
  /** Defaults: p1, u1, INSTANCE. */
  readonly project?: string;
  readonly user?: string;
  readonly type?: string | null;
  /** The name of a reservation; its uuid is `uuidOf(name)`. */
  readonly reservation?: string;
}

export interface ReservationSeed {
  /** Defaults to p1. */
  readonly project?: string;
  /** RFC 3339. From now on for a day by default. */
  readonly startsAt?: string;
  readonly endsAt?: string;
}

const uuids = new Map<string, string>();

/** The uuid for a name: the same in every test. */
export function uuidOf(name: string): string {
  let uuid = uuids.get(name);
  if (uuid === undefined) {
    const hex = createHash('md5').update(name).digest('hex');
    uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    uuids.set(name, uuid);
  }
  return uuid;
}

const plain = { reserved: 0, minUnit: 1, maxUnit: 2 ** 31 - 1, stepSize: 1, allocationRatio: 1 };
const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-seed' };

const momentIn = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const amountsOf = (held: Readonly<Record<string, Amounts>>) =>
  Object.entries(held).flatMap(([provider, amounts]) =>
    Object.entries(amounts).map(([resourceClass, amount]) => ({ provider: uuidOf(provider), resourceClass, amount })),
  );

/** Seeds one database. Each call is a separate write, in the order of the calls if they are awaited. */
export function createSeed(db: Db) {
  /** Custom names, which need not be created again. */
  const created = new Set<string>();
  const write = async (operation: string, request: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const send = () => db.writes<{ answer: Record<string, unknown> & { unknownNames?: Record<string, string[]> } }[]>`
      select apply_write(${operation}, ${db.writes.json({ kind: operation.toUpperCase(), by, ...request } as never)}) as answer`;
    let [row] = await send();
    const names = row?.answer.unknownNames;
    if (names) {
      await seed.names(names);
      [row] = await send();
    }
    if (!row?.answer || 'refusal' in row.answer) throw new Error(`${operation} was refused: ${JSON.stringify(row?.answer)}`);
    if (/^(delete|rename)_/.test(operation)) created.clear();
    return row.answer;
  };
  const createCustomNames = async (operation: string, names: readonly string[]) => {
    for (const name of names.filter((name) => name.startsWith('CUSTOM_') && !created.has(`${operation} ${name}`))) {
      await write(operation, { name });
      created.add(`${operation} ${name}`);
    }
  };
  const seed = {
    write,
    /** Projects, users and types of consumers: a write that is sent past applyWrite needs them. */
    async names({ projects = [], users = [], types = [] }: Readonly<Record<string, string[]>>): Promise<void> {
      await db.writes`select ensure_consumer_names(${projects}::text[], ${users}::text[], ${types}::text[])`;
    },
    /** A new provider with all its parts; creates custom classes and traits as needed. */
    async provider(name: string, { parent, inventories, traits, aggregates }: ProviderSeed = {}): Promise<void> {
      await write('create_resource_provider', { uuid: uuidOf(name), name, ...(parent && { parent: uuidOf(parent) }) });
      if (inventories) await seed.inventories(name, inventories);
      if (traits) await seed.traits(name, traits);
      if (aggregates) await seed.aggregates(name, aggregates);
    },
    /** Replaces the inventories of a provider. */
    async inventories(provider: string, inventories: NonNullable<ProviderSeed['inventories']>): Promise<void> {
      await createCustomNames('create_resource_class', Object.keys(inventories));
      const records = Object.entries(inventories).map(([resourceClass, given]) => ({
        ...plain,
        ...(typeof given === 'number' ? { total: given } : given),
        resourceClass,
      }));
      await write('replace_inventories', { provider: uuidOf(provider), expect: {}, inventories: records });
    },
    /** Replaces the traits of a provider. */
    async traits(provider: string, traits: readonly string[]): Promise<void> {
      await createCustomNames('create_trait', traits);
      await write('replace_traits', { provider: uuidOf(provider), expect: {}, traits });
    },
    /** Replaces the aggregates of a provider. */
    async aggregates(provider: string, aggregates: readonly string[]): Promise<void> {
      await write('replace_aggregates', { provider: uuidOf(provider), expect: {}, aggregates: aggregates.map(uuidOf) });
    },
    /** A new consumer with allocations by provider: `{ cn1: { VCPU: 2 }, pool: { DISK_GB: 10 } }`. */
    async claim(consumer: string, held: Readonly<Record<string, Amounts>>, of: ConsumerSeed = {}): Promise<void> {
      const { project = 'p1', user = 'u1', type = 'INSTANCE', reservation } = of;
      const wanted = {
        uuid: uuidOf(consumer),
        expect: { isNew: true },
        project,
        user,
        type,
        keepType: false,
        allocations: amountsOf(held),
      };
      await write('replace_allocations', { consumers: [{ ...wanted, ...(reservation && { reservation: uuidOf(reservation) }) }] });
    },
    /** A new reservation of amounts by provider. */
    async reservation(name: string, held: Readonly<Record<string, Amounts>>, of: ReservationSeed = {}): Promise<void> {
      const { project = 'p1', startsAt = momentIn(0), endsAt = momentIn(86_400) } = of;
      const reservation = { uuid: uuidOf(name), project, startsAt, endsAt, amounts: amountsOf(held) };
      await write('replace_reservation', { reservation, expect: { isNew: true }, most: limits.reservationAmounts });
    },
  };
  return seed;
}
