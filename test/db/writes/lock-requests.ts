// For each write operation, requests that lock as much as they can, in orders that are not ours (lock-order.test.ts), and the reservations among what they lock.
import { joinClaims } from '../../../src/db/writes/claim-batch.ts';
import type { WriteOperation } from '../../../src/db/writes/operations.ts';
import { type createSeed, uuidOf } from '../../support/seed.ts';

export const by = { user: 'u', project: 'p', roles: [], requestId: 'req-locks' };
const plain = { reserved: 0, minUnit: 1, maxUnit: 100, stepSize: 1, allocationRatio: 1 };
const inventory = (resourceClass: string, total = 90) => ({ resourceClass, total, ...plain });
const both = [inventory('CUSTOM_B'), inventory('CUSTOM_A')];
const hold = (resourceClass: string, ...providers: string[]) =>
  providers.map((name) => ({ provider: uuidOf(name), resourceClass, amount: 2 }));
export const consumer = (name: string, allocations: object[], expectation: object = {}) => ({
  ...{ uuid: uuidOf(name), expect: expectation, project: 'p', user: 'u', type: 'INSTANCE', keepType: false, allocations },
});
export const held = [...hold('CUSTOM_B', 'p1', 'p2'), ...hold('CUSTOM_A', 'p0')];
const several = [consumer('c1', held), consumer('new', held), consumer('c0', held)];
const expectNothing = { expect: {} };
const tree = {
  root: uuidOf('p0'),
  dryRun: false,
  removed: [],
  consumers: several,
  providers: [
    {
      uuid: uuidOf('p0'),
      name: 'p0',
      parent: null,
      ...expectNothing,
      inventories: [...both, inventory('CUSTOM_NEW')],
      traits: ['CUSTOM_Y', 'CUSTOM_NEW'],
      aggregates: ['new', 'zone'].map(uuidOf),
    },
    {
      uuid: uuidOf('child'),
      name: 'renamed',
      parent: 'p0',
      ...expectNothing,
      traits: ['CUSTOM_X'],
    },
    { uuid: uuidOf('added'), name: 'added', parent: 'renamed', ...expectNothing, inventories: both },
  ],
};
const record = { kind: 'node', name: 'n1', uuid: uuidOf('n0'), body: { changed: true } };
const newConsumer = (name: string) => ({ uuid: uuidOf(name), project: 'p', user: 'u', type: 'INSTANCE', allocations: held });

const kept = ['p0 CUSTOM_B', 'p0 CUSTOM_A', 'p1 CUSTOM_B', 'p1 CUSTOM_A', 'p2 CUSTOM_B'].map((place) => {
  const [name = '', resourceClass = ''] = place.split(' ');
  return { provider: uuidOf(name), resourceClass, amount: 30 };
});
const reservation = (name: string) => ({
  ...{ uuid: uuidOf(name), project: 'p', startsAt: '2026-01-01T00:00:00Z', endsAt: '2099-01-01T00:00:00Z', amounts: kept },
});

/** One from which c0 and c1 claim, one from which nobody does, and one that has ended. */
export async function seedReservations({ write }: ReturnType<typeof createSeed>): Promise<void> {
  for (const name of ['r1', 'r0', 'ended']) {
    await write('replace_reservation', {
      reservation: { ...reservation(name), ...(name !== 'r0' && { amounts: kept.slice(0, 1) }) },
      expect: {},
      most: 1000,
    });
  }
}

/** For each operation, requests that lock as much as they can, in orders that are not ours. */
export const requests: Readonly<Record<WriteOperation, readonly object[]>> = {
  replace_allocations: [
    { consumers: several, hasQuotas: true, affinity: { key: 'g', members: [], policy: 'APART', perRoot: 100 } },
    { consumers: several.map(({ ...one }) => ({ ...one, allocations: [] })) },
  ],
  move_allocations: [{ consumers: [{ ...consumer('new', []), takeFrom: uuidOf('c1') }, consumer('c1', [])] }],
  set_expiry: [{ consumers: ['c1', 'c0'].map((name) => ({ ...consumer(name, []), expiresIn: 60 })) }],
  release_expired: [{ most: 10, skip: 0 }],
  replace_reservation: [
    { reservation: { ...reservation('r0'), amounts: kept.toReversed(), endsAt: '2098-01-01T00:00:00Z' }, expect: {}, most: 1000 },
    { reservation: { ...reservation('r1'), hosts: [uuidOf('top')] }, expect: {}, most: 1000 },
  ],
  release_reservation: [{ reservation: uuidOf('r1'), expect: {} }],
  end_reservations: [{ most: 10 }],
  release_allocations: [{ consumers: ['c1', 'c0'].map((name) => consumer(name, [])) }],
  claim_together: [
    joinClaims(['new', 'added', 'other'].map((name) => ({ call: { by }, hasQuotas: true, consumers: [newConsumer(name)] }))),
    joinClaims([
      { call: { by }, consumers: [{ uuid: uuidOf('c1'), expects: -1, project: null, user: null, allocations: [] }] },
      ...['new', 'c0'].map((name) => ({
        ...{ call: { by }, hasQuotas: true },
        consumers: [{ ...newConsumer(name), ...(name === 'c0' && { expects: -1 }) }],
      })),
    ]),
  ],
  keep_answer: [{ answer: {} }],
  create_resource_provider: [
    { uuid: uuidOf('added'), name: 'added', parent: uuidOf('child') },
    { uuid: uuidOf('added'), name: 'added' },
  ],
  update_resource_provider: [{ provider: uuidOf('p0'), ...expectNothing, name: 'renamed', parent: uuidOf('p2') }],
  delete_resource_provider: [
    { provider: uuidOf('child'), ...expectNothing },
    { provider: uuidOf('top'), ...expectNothing, wholeTree: true },
  ],
  replace_inventories: [
    { provider: uuidOf('p2'), ...expectNothing, inventories: both },
    { provider: uuidOf('p2'), ...expectNothing, inventories: [inventory('CUSTOM_UNUSED'), ...both], keepOthers: true },
    { provider: uuidOf('p2'), ...expectNothing, remove: 'CUSTOM_A' },
  ],
  patch_inventories: [{ providers: ['p1', 'p2', 'p0'].map(uuidOf), resourceClass: 'CUSTOM_A', patch: { total: 80 }, dryRun: false }],
  replace_traits: [{ provider: uuidOf('p1'), ...expectNothing, traits: ['CUSTOM_UNUSED', 'CUSTOM_X'] }],
  patch_traits: [{ providers: ['p1', 'p2', 'p0'].map(uuidOf), added: ['CUSTOM_UNUSED'], removed: ['CUSTOM_X'], dryRun: false }],
  replace_aggregates: [{ provider: uuidOf('p1'), ...expectNothing, aggregates: ['new', 'zone', 'rack'].map(uuidOf) }],
  name_aggregate: [
    { aggregate: uuidOf('zone'), name: 'taken' },
    { aggregate: uuidOf('new'), name: 'taken' },
  ],
  create_trait: [{ name: 'CUSTOM_NEW' }],
  delete_trait: [{ name: 'CUSTOM_UNUSED' }],
  create_resource_class: [{ name: 'CUSTOM_NEW' }],
  rename_resource_class: [{ from: 'CUSTOM_A', name: 'CUSTOM_NEW' }],
  delete_resource_class: [{ name: 'CUSTOM_UNUSED' }],
  reshape: [
    { providers: ['p1', 'p2', 'p0'].map((name) => ({ provider: uuidOf(name), ...expectNothing, inventories: both })), consumers: several },
  ],
  apply_provider_tree: [tree],
  apply_report: [{ ...tree, devices: [{ address: '0000:81:00.0', status: 'available' }], record }],
  report_service: [
    { host: 'h', program: 'nova-compute', version: 70, minimumOf: 'nova-compute' },
    {
      host: 'kept',
      program: 'nova-compute',
      disabled: true,
      minimumOf: 'nova-compute',
      mark: { trait: 'CUSTOM_UNUSED', kind: 'node', of: 'CUSTOM_X' },
    },
  ],
  replace_settings: [
    { record: { ...record, name: 'n0', body: { generation: 9 } }, expect: {} },
    { record: { kind: 'settings', name: 'new', uuid: uuidOf('new'), body: {} }, expect: {} },
  ],
  replace_quotas: [
    {
      record: {
        ...{ kind: 'project_quotas', name: 'p', uuid: uuidOf('quotas of p') },
        body: { parent: 'above', quotas: [{ user: null, consumerType: null, resourceClass: 'CUSTOM_B', amount: 1000 }] },
      },
      expect: {},
    },
  ],
  import_records: [
    { records: ['new', 'added'].map((name) => ({ kind: 'node', name, uuid: uuidOf(name), body: {} })) },
    {
      records: [
        {
          kind: 'project_quotas',
          name: 'p',
          uuid: uuidOf('quotas of p'),
          body: { parent: null, quotas: [{ aggregate: uuidOf('zone'), amount: 9 }] },
        },
        {
          ...{ kind: 'default_quotas', name: 'default_quotas', uuid: uuidOf('defaults') },
          body: {
            parent: null,
            quotas: ['zone', 'new', 'rack'].map((name) => ({ resourceClass: 'CUSTOM_B', aggregate: uuidOf(name), amount: 9 })),
          },
        },
      ],
    },
  ],
  import_services: [
    {
      services: ['new', 'added'].map((host) => ({
        ...{ host, program: 'nova-compute', version: 70, disabled: false, disabledReason: null, forcedDown: false },
        updatedAt: '2026-01-02T03:04:05Z',
      })),
    },
  ],
  import_resource_providers: [
    {
      providers: ['p0', 'p1'].map((name) => ({
        ...{
          uuid: uuidOf(name),
          name: name === 'p0' ? 'renamed' : name,
          parent: name === 'p0' ? uuidOf('p2') : uuidOf('p0'),
          generation: 50,
        },
        ...{
          inventories: [...both, inventory('CUSTOM_UNUSED')],
          traits: ['CUSTOM_UNUSED', 'CUSTOM_X'],
          aggregates: [uuidOf('new'), uuidOf('zone')],
        },
      })),
    },
  ],
  drop_reserved_amounts: [{ provider: kept[0]?.provider, resourceClass: null }],
  import_consumers: [{ consumers: several.map((one) => ({ ...one, generation: 7 })) }],
  mend_derived: [{ contested: [], dryRun: false }],
};
