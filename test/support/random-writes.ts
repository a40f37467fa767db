// Random histories: writes of every kind on a few providers, consumers and names, so that they interact. Many are refused.
// Knows the requests of the write functions; does not judge their answers.

import type { Db } from '../../src/db/sql/client.ts';
import { sqlState } from '../../src/db/writes/apply-write.ts';
import { joinClaims } from '../../src/db/writes/claim-batch.ts';
import type { WriteOperation } from '../../src/db/writes/operations.ts';
import { writeAny } from './any-write.ts';
import type { Dice } from './dice.ts';
import { uuidOf } from './seed.ts';

/** Sends one write. Returns its operation and whether it was done. */
export async function writeAtRandom(db: Db, roll: Dice): Promise<{ operation: WriteOperation; done: boolean }> {
  const operation = pick(roll, everyOperation);
  const request = requests[operation](roll);
  try {
    const answer = await writeAny(db, operation, request);
    return { operation, done: !('refusal' in answer) };
  } catch (error) {
    // Batched claims wait only briefly for a locked provider; on a busy machine it can be locked for longer.
    if (operation === 'claim_together' && sqlState(error) === lockNotAvailable) return { operation, done: false };
    throw error;
  }
}

const lockNotAvailable = '55P03';

const times = <Value>(count: number, make: (index: number) => Value): Value[] => Array.from({ length: count }, (_, index) => make(index));
const pick = <Value>(roll: Dice, values: readonly Value[]): Value => values[roll(values.length)] as Value;
const some = <Value>(roll: Dice, values: readonly Value[], most: number): Value[] => [
  ...new Set(times(roll(most + 1), () => pick(roll, values))),
];

const providerNames = times(14, (index) => `p${index}`);
const classNames = ['VCPU', 'VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_A', 'CUSTOM_B'];
const traitNames = ['HW_NUMA_ROOT', 'MISC_SHARES_VIA_AGGREGATE', 'CUSTOM_X', 'CUSTOM_Y', 'CUSTOM_Z'];
const aggregates = times(5, (index) => uuidOf(`aggregate ${index}`));
const provider = (roll: Dice) => uuidOf(pick(roll, providerNames));

const inventories = (roll: Dice, most = 3) =>
  some(roll, classNames, most).map((resourceClass) => ({
    resourceClass,
    total: 1 + roll(40),
    reserved: roll(3),
    minUnit: 1,
    maxUnit: 1 + roll(20),
    stepSize: 1,
    allocationRatio: pick(roll, [1, 1.5, 16]),
  }));

const consumer = (roll: Dice, name = `c${roll(8)}`) => ({
  uuid: uuidOf(name),
  expect: {},
  project: pick(roll, ['p', 'p', 'q']),
  user: 'u',
  type: 'INSTANCE',
  keepType: false,
  allocations: some(roll, providerNames, 2).map((held) => ({
    provider: uuidOf(held),
    resourceClass: pick(roll, ['VCPU', 'VCPU', 'MEMORY_MB']),
    amount: 1 + roll(3),
  })),
});
const consumers = (roll: Dice) => some(roll, ['c0', 'c1', 'c2'], 2).map((name) => consumer(roll, name));

/** A root and some descendants, with names that may already exist elsewhere. */
const desiredTree = (roll: Dice) => {
  const [root = 'p0', ...below] = [pick(roll, providerNames), ...some(roll, providerNames, 3)];
  const parts = () => ({
    ...(roll(2) === 0 && { inventories: inventories(roll) }),
    ...(roll(2) === 0 && { traits: some(roll, traitNames, 3) }),
    ...(roll(2) === 0 && { aggregates: some(roll, aggregates, 2) }),
  });
  const children = below.filter((name) => name !== root);
  return {
    root: uuidOf(root),
    providers: [
      { uuid: uuidOf(root), name: root, parent: null, expect: {}, ...parts() },
      ...children.map((name) => ({ uuid: uuidOf(name), name, parent: root, expect: {}, ...parts() })),
    ],
    consumers: [],
    dryRun: roll(4) === 0,
  };
};

const record = (roll: Dice) => ({
  kind: 'node',
  name: pick(roll, ['n0', 'n1']),
  uuid: provider(roll),
  body: { host: pick(roll, ['h0', 'h1']) },
});

const requests: Record<WriteOperation, (roll: Dice) => object> = {
  create_resource_provider: (roll) => {
    const name = pick(roll, providerNames);
    return { uuid: uuidOf(name), name, ...(roll(2) === 0 && { parent: provider(roll) }) };
  },
  update_resource_provider: (roll) => ({
    provider: provider(roll),
    expect: {},
    ...(roll(3) === 0 ? { name: `renamed ${roll(20)}` } : { parent: roll(3) === 0 ? null : provider(roll) }),
  }),
  delete_resource_provider: (roll) => ({ provider: provider(roll), expect: {} }),
  replace_inventories: (roll) => ({
    provider: provider(roll),
    expect: {},
    ...pick(roll, [
      { inventories: inventories(roll) },
      { inventories: inventories(roll), keepOthers: true },
      { remove: pick(roll, classNames) },
    ]),
  }),
  patch_inventories: (roll) => ({
    providers: some(roll, providerNames, 3).map(uuidOf),
    resourceClass: pick(roll, classNames),
    patch: pick(roll, [{ total: 1 + roll(10) }, { reserved: roll(5) }, { allocationRatio: 1 + roll(3), maxUnit: 50 }]),
    dryRun: roll(4) === 0,
  }),
  replace_traits: (roll) => ({ provider: provider(roll), expect: {}, traits: some(roll, traitNames, 4) }),
  patch_traits: (roll) => ({
    providers: some(roll, providerNames, 3).map(uuidOf),
    added: some(roll, traitNames.slice(1), 2),
    removed: traitNames.slice(0, 1),
    dryRun: roll(4) === 0,
  }),
  replace_aggregates: (roll) => ({
    provider: provider(roll),
    expect: {},
    aggregates: some(roll, aggregates, 3),
    keepGeneration: roll(2) === 0,
  }),
  name_aggregate: (roll) => ({ aggregate: pick(roll, aggregates), name: pick(roll, ['rack', 'zone', null]) }),
  create_trait: (roll) => ({ name: pick(roll, ['CUSTOM_X', 'CUSTOM_Y', 'CUSTOM_Z']) }),
  delete_trait: (roll) => ({ name: pick(roll, ['CUSTOM_X', 'CUSTOM_Y', 'CUSTOM_Z']) }),
  create_resource_class: (roll) => ({ name: pick(roll, ['CUSTOM_A', 'CUSTOM_B']) }),
  rename_resource_class: (roll) => ({ from: pick(roll, ['CUSTOM_A', 'CUSTOM_B']), name: pick(roll, ['CUSTOM_A', 'CUSTOM_C']) }),
  delete_resource_class: (roll) => ({ name: pick(roll, ['CUSTOM_A', 'CUSTOM_B']) }),
  replace_allocations: (roll) => ({ consumers: [{ ...consumer(roll), ...(roll(4) === 0 && { expiresIn: 3600 }) }] }),
  keep_answer: () => ({ answer: {} }),
  move_allocations: (roll) => ({ consumers: consumers(roll) }),
  set_expiry: (roll) => ({
    consumers: [{ uuid: uuidOf(`c${roll(8)}`), expect: {}, allocations: [], ...pick(roll, [{ expiresIn: 3600 }, { expiresAt: null }]) }],
  }),
  // Not by the clock, so that the same writes have the same answers at any pace.
  release_expired: (roll) => ({ most: 1 + roll(3), skip: roll(2), until: '2100-01-01T00:00:00Z' }),
  replace_reservation: (roll) => ({
    reservation: {
      ...{ uuid: uuidOf(`reservation ${roll(3)}`), project: pick(roll, ['p1', 'p2']) },
      ...{ startsAt: pick(roll, ['2000-01-01T00:00:00Z', '2099-01-01T00:00:00Z']), endsAt: '2099-02-01T00:00:00Z' },
      amounts: [{ provider: provider(roll), resourceClass: 'VCPU', amount: 1 + roll(3) }],
    },
    ...{ expect: {}, most: 1000 },
  }),
  release_reservation: (roll) => ({ reservation: uuidOf(`reservation ${roll(3)}`), expect: {} }),
  end_reservations: (roll) => ({ most: 1 + roll(3), until: '2100-01-01T00:00:00Z' }),
  release_allocations: (roll) => ({ consumers: [{ ...consumer(roll), allocations: [] }] }),
  claim_together: (roll) => {
    const allocations = [{ provider: provider(roll), resourceClass: 'VCPU', amount: 1 }];
    const both = times(2, () => ({ ...consumer(roll, `new ${roll(1e6)}`), expect: { isNew: true }, allocations }));
    const by = { user: 'u', project: 'p', roles: [], requestId: 'req-part' };
    const known = some(roll, ['c0', 'c1', 'c2'], 2).map((name) => ({
      ...{ uuid: uuidOf(name), expects: -1, project: null, user: null },
      allocations: roll(2) === 0 ? [] : allocations,
    }));
    return joinClaims([...known, ...both].map((one) => ({ call: { by }, consumers: [one] })));
  },
  reshape: (roll) => ({
    providers: some(roll, providerNames, 2).map((name) => ({ provider: uuidOf(name), expect: {}, inventories: inventories(roll) })),
    consumers: consumers(roll),
  }),
  apply_provider_tree: desiredTree,
  apply_report: (roll) => ({
    ...desiredTree(roll),
    removed: [provider(roll)],
    devices: some(roll, ['0000:81:00.0', '0000:81:00.1'], 2).map((address) => ({
      address,
      status: pick(roll, ['available', 'allocated']),
    })),
    record: record(roll),
  }),
  replace_settings: (roll) => ({
    record: { kind: 'settings', name: 'settings', uuid: uuidOf('settings'), body: { cells: some(roll, aggregates, 2) } },
    expect: roll(2) === 0 ? {} : { generation: roll(3) },
  }),
  replace_quotas: (roll) => ({
    record: {
      ...{ kind: 'project_quotas', name: 'p', uuid: uuidOf('quotas of p') },
      body: {
        parent: null,
        quotas: [undefined, pick(roll, aggregates)].flatMap((aggregate) =>
          [null, 'VCPU'].map((resourceClass) => ({ user: null, consumerType: null, resourceClass, aggregate, amount: roll(100) })),
        ),
      },
    },
    expect: roll(2) === 0 ? {} : { generation: roll(3) },
  }),
  import_records: (roll) => ({ records: [record(roll)] }),
  report_service: (roll) => ({ host: pick(roll, ['h0', 'h1']), program: 'nova-compute', version: pick(roll, [72, 73, null]) }),
  import_services: (roll) => ({
    services: some(roll, ['h0', 'h1', 'h2'], 2).map((host) => ({
      ...{ host, program: 'nova-compute', version: roll(80), disabled: roll(2) === 0, disabledReason: null, forcedDown: false },
      updatedAt: '2026-01-02T03:04:05.678Z',
    })),
  }),
  import_resource_providers: (roll) => ({
    providers: some(roll, providerNames, 3).map((name) => ({
      uuid: uuidOf(name),
      name: roll(5) === 0 ? `imported ${name}` : name,
      parent: roll(2) === 0 ? null : provider(roll),
      generation: roll(50),
      inventories: inventories(roll),
      traits: some(roll, traitNames, 2),
      aggregates: some(roll, aggregates, 2),
    })),
  }),
  drop_reserved_amounts: (roll) => ({ provider: provider(roll), resourceClass: roll(2) === 0 ? null : 'VCPU' }),
  import_consumers: (roll) => ({
    consumers: [{ ...consumer(roll), generation: 1 + roll(9) }].filter(({ allocations }) => allocations.length > 0),
  }),
  mend_derived: (roll) => ({ contested: [], dryRun: roll(2) === 0 }),
};
/** Every kind of write. */
export const everyOperation = Object.keys(requests) as readonly WriteOperation[];
