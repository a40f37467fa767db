// Classes that older releases of Nova kept on the node itself move to the providers below it: nothing is counted twice, and nothing is guessed.
import { afterEach, describe, expect, test } from 'vitest';
import { auditComputeNode } from '../../../src/nova/audits/compute-node-audits.ts';
import type { VgpuDevice } from '../../../src/nova/compute-nodes/compute-node-report.ts';
import { reportComputeNode } from '../../../src/nova/compute-nodes/compute-nodes.ts';
import { endMigration } from '../../../src/nova/instances/migrations.ts';
import { releaseAllocations, replaceAllocations } from '../../../src/operations/allocations/allocation-writes.ts';
import { replaceTraits } from '../../../src/operations/providers/provider-writes.ts';
import { readTree } from '../../../src/operations/trees/reports.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { heldBy } from '../../support/held.ts';
import { expectSoundLedger, refusalOf, scopeOf } from '../../support/ledger.ts';
import { type FlatReport, reportOf } from '../../support/reports.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

const database = useDatabase();
const scope = () => scopeOf(database.db);
const seed = () => createSeed(database.db);
afterEach(() => expectSoundLedger(database.db));

const inputOf = (name: string, change: Partial<FlatReport>) =>
  reportOf({ uuid: uuidOf(name), serviceHost: name, hypervisorHostname: name, vcpus: 8, memoryMb: 8192, localGb: 100, ...change });
const report = (name: string, change: Partial<FlatReport> = {}) => reportComputeNode(scope(), inputOf(name, change));
const refused = (name: string, change: Partial<FlatReport>) => refusalOf(database.db, () => report(name, change));
/** Each provider of a tree with its inventories, as `CLASS total used`. */
const tree = async (name: string) =>
  (await readTree(scope(), uuidOf(name))).map(({ name: own, inventories, used }) =>
    [own, ...Object.keys(inventories).map((key) => `${key} ${inventories[key]?.total} ${used[key] ?? 0}`)].join(' '),
  );
const below = async (name: string) => (await tree(name)).slice(1);
/** A node as an older release left it, with an inventory of its own, and consumers of it. */
async function oldNode(name: string, resourceClass: string, total: number, holders: Readonly<Record<string, number>>) {
  await report(name);
  await seed().inventories(name, { VCPU: 8, MEMORY_MB: 8192, DISK_GB: 100, [resourceClass]: total });
  for (const [consumer, amount] of Object.entries(holders)) {
    const type = consumer.startsWith('move') ? 'MIGRATION' : 'INSTANCE';
    await seed().claim(consumer, { [name]: { VCPU: 1, [resourceClass]: amount } }, { type });
  }
}
const [a, b] = ['0000:84:00.0', '0000:85:00.0'];
const card = (address: string, total: number, consumers: Readonly<Record<string, number>> = {}, rest: Partial<VgpuDevice> = {}) => ({
  ...{ address, total, ...rest },
  consumers: Object.entries(consumers).map(([consumer, amount]) => ({ consumer: uuidOf(consumer), amount })),
});

describe('virtual GPUs of the node itself', () => {
  test('move to the cards that serve their consumers, one of which has two cards', async () => {
    await oldNode('gpus', 'VGPU', 4, { guest1: 2, guest2: 1 });
    const vgpus = [card(a, 2, { guest1: 1 }), card(b, 3, { guest1: 1, guest2: 1, unknown: 1 })];
    await report('gpus', { vgpus });
    expect((await tree('gpus'))[0]).not.toContain('VGPU');
    expect(await below('gpus')).toEqual(['gpus_pci_0000_84_00_0 VGPU 2 1', 'gpus_pci_0000_85_00_0 VGPU 3 2']);
    expect(await heldBy(database.db, 'guest1')).toEqual({
      gpus: { VCPU: 1 },
      gpus_pci_0000_84_00_0: { VGPU: 1 },
      gpus_pci_0000_85_00_0: { VGPU: 1 },
    });
    expect(await report('gpus', { vgpus })).toMatchObject({ changed: false });
    expect(await report('gpus', { vgpus: vgpus.map(({ consumers, ...rest }) => rest) })).toMatchObject({ changed: false });
  });

  test('stay while the report does not name all their consumers, and the refusal lists those that are missing', async () => {
    await oldNode('unsaid', 'VGPU', 4, { guest3: 2, guest4: 1 });
    const before = await tree('unsaid');
    expect(await refused('unsaid', { vgpus: [card(a, 4)] })).toMatchObject([
      { code: 'IN_USE', path: ['vgpus'], details: { key: 'VGPU', count: 2 } },
    ]);
    expect(await refused('unsaid', { vgpus: [card(a, 4, { guest3: 2 })] })).toMatchObject([
      { code: 'IN_USE', path: ['vgpus'], details: { by: [uuidOf('guest4')], count: 1 } },
    ]);
    expect(await tree('unsaid')).toEqual(before);
    await report('unsaid');
    expect(await tree('unsaid')).toEqual(before);
  });

  test('just go if none is in use, and are not counted again as another class', async () => {
    await oldNode('idle', 'VGPU', 4, {});
    await report('idle', { vgpus: [a, b].map((address) => card(address, 2, {}, { resourceClass: 'CUSTOM_NVIDIA_11' })) });
    expect((await tree('idle'))[0]).not.toContain('VGPU');
    expect(await below('idle')).toEqual(['idle_pci_0000_84_00_0 CUSTOM_NVIDIA_11 2 0', 'idle_pci_0000_85_00_0 CUSTOM_NVIDIA_11 2 0']);
  });

  test('that are in use keep their class on a card of another one, which offers only the rest', async () => {
    await oldNode('classed', 'VGPU', 4, { guest5: 1 });
    const vgpus = [card(a, 2, { guest5: 1 }), card(b, 2)].map((one) => ({ ...one, resourceClass: 'CUSTOM_NVIDIA_11' }));
    await report('classed', { vgpus });
    expect((await tree('classed'))[0]).not.toContain('VGPU');
    const [first] = await below('classed');
    expect(first).toContain('CUSTOM_NVIDIA_11 1 0');
    expect(first).toContain('VGPU 1 1');
    expect(await report('classed', { vgpus })).toMatchObject({ changed: false });
    await releaseAllocations(scope(), { consumers: [{ consumer: uuidOf('guest5'), expect: { unchecked: true } }] });
    await report('classed', { vgpus });
    expect(await below('classed')).toEqual([
      'classed_pci_0000_84_00_0 CUSTOM_NVIDIA_11 2 0',
      'classed_pci_0000_85_00_0 CUSTOM_NVIDIA_11 2 0',
    ]);
  });

  test('are as many as the host says: Nova, too, follows the devices and not the allocations', async () => {
    await oldNode('actual', 'VGPU', 4, { guest6: 3 });
    await report('actual', { vgpus: [card(a, 2, { guest6: 1 }), card(b, 2, { guest6: 1 })] });
    expect(await below('actual')).toEqual(['actual_pci_0000_84_00_0 VGPU 2 1', 'actual_pci_0000_85_00_0 VGPU 2 1']);
  });

  test('are named by the migration that holds them during a move, which then can be reverted', async () => {
    await oldNode('source', 'VGPU', 4, { move1: 2 });
    expect(await refused('source', { vgpus: [card(a, 4, { guest7: 2 })] })).toMatchObject([{ details: { by: [uuidOf('move1')] } }]);
    await report('source', { vgpus: [card(a, 4, { move1: 2 })] });
    await endMigration(scope(), {
      migrationRecord: { fields: { uuid: uuidOf('move1'), instance: uuidOf('guest7') } },
      outcome: 'REVERTED',
    });
    expect(await heldBy(database.db, 'guest7')).toEqual({ source: { VCPU: 1 }, source_pci_0000_84_00_0: { VGPU: 2 } });
  });

  test('are right for an audit on two cards, which repairs nothing', async () => {
    await oldNode('audited', 'VGPU', 4, { guest8: 2 });
    await report('audited', { vgpus: [card(a, 2, { guest8: 1 }), card(b, 2, { guest8: 1 })] });
    const flavor = { fields: { vcpus: 1, memoryMb: 0, rootGb: 0, extraSpecs: [{ key: 'resources:VGPU', value: '2' }] } };
    const instances = [{ instanceRecord: { fields: { uuid: uuidOf('guest8'), project: 'p', user: 'u', flavor } } }];
    const audited = await auditComputeNode(scope(), { computeNode: uuidOf('audited'), host: 'audited', instances, repair: true });
    expect(audited.instances).toMatchObject([{ repaired: false }]);
    expect(await below('audited')).toEqual(['audited_pci_0000_84_00_0 VGPU 2 1', 'audited_pci_0000_85_00_0 VGPU 2 1']);
  });

  test('move while others claim on the node', async () => {
    await oldNode('busy', 'VGPU', 4, { guest9: 1 });
    const claims = Array.from({ length: 5 }, (_, place) => seed().claim(`beside${place}`, { busy: { VCPU: 1 } }));
    await Promise.all([report('busy', { vgpus: [card(a, 4, { guest9: 1 })] }), ...claims]);
    expect((await tree('busy'))[0]).toContain('VCPU 8 6');
    expect(await below('busy')).toEqual(['busy_pci_0000_84_00_0 VGPU 4 1']);
  });

  test.each<[fault: string, vgpus: readonly VgpuDevice[], path: readonly string[]]>([
    ['more than the card has', [card(a, 2, { guest10: 1, guest11: 2 })], ['vgpus', '0', 'consumers']],
    ['none', [card(a, 2, { guest10: 0 })], ['vgpus', '0', 'consumers', '0', 'amount']],
    [
      'twice the same',
      [{ ...card(a, 2), consumers: Array(2).fill({ consumer: uuidOf('guest10'), amount: 1 }) }],
      ['vgpus', '0', 'consumers', '1', 'consumer'],
    ],
  ])('are refused with their path if a card has %s', async (_, vgpus, path) => {
    expect(await refused('faulty', { vgpus })).toMatchObject([{ code: 'INVALID_INPUT', path }]);
  });

  test('do not fit on a card that others have filled, and the refusal leads to its consumers', async () => {
    await report('filled', { vgpus: [card(a, 2)] });
    const [, { uuid = '' } = {}] = await readTree(scope(), uuidOf('filled'));
    const hold = { allocations: [{ resourceProvider: uuid, resources: [{ resourceClass: 'VGPU', amount: 2 }] }] };
    const early = { consumer: uuidOf('early'), expect: { isNew: true }, hold, project: 'p', user: 'u' };
    await replaceAllocations(scope(), { consumers: [early] });
    await seed().inventories('filled', { VGPU: 4 });
    await seed().claim('guest12', { filled: { VGPU: 1 } });
    expect(await refused('filled', { vgpus: [card(a, 2, { guest12: 1 })] })).toMatchObject([
      { code: 'CAPACITY_EXCEEDED', path: ['vgpus', '0', 'consumers'] },
    ]);
  });
});

test('a card in use that gets another class offers only the rest as that class', async () => {
  await report('renamed', { vgpus: [card(a, 4)] });
  const [, { uuid = '' } = {}] = await readTree(scope(), uuidOf('renamed'));
  const hold = { allocations: [{ resourceProvider: uuid, resources: [{ resourceClass: 'VGPU', amount: 1 }] }] };
  const guest = { consumer: uuidOf('guest13'), expect: { isNew: true }, hold, project: 'p', user: 'u' };
  await replaceAllocations(scope(), { consumers: [guest] });
  await report('renamed', { vgpus: [card(a, 4, {}, { resourceClass: 'CUSTOM_NVIDIA_11' })] });
  const [only] = await below('renamed');
  expect(only).toContain('CUSTOM_NVIDIA_11 3 0');
  expect(only).toContain('VGPU 1 1');
});

describe('contexts of encrypted memory of the node itself', () => {
  const models = (totals: Readonly<Partial<Record<'AMD_SEV' | 'AMD_SEV_ES' | 'AMD_SEV_SNP', number>>>) => ({
    memoryEncryption: Object.entries(totals).map(([model, total]) => ({ model: model as keyof typeof totals, total })),
  });

  test('are of AMD SEV, whatever other models the host reports, and the node itself loses its trait', async () => {
    await oldNode('secret', 'MEM_ENCRYPTION_CONTEXT', 15, { guest14: 1, guest15: 1 });
    const trait = 'HW_CPU_X86_AMD_SEV';
    const { traits = [] } = (await readTree(scope(), uuidOf('secret')))[0] ?? {};
    await replaceTraits(scope(), { resourceProvider: uuidOf('secret'), expect: { unchecked: true }, traits: [...traits, trait] });
    await report('secret', models({ AMD_SEV_ES: 100, AMD_SEV: 15 }));
    expect((await below('secret')).toSorted()).toEqual([
      'secret_amd_sev MEM_ENCRYPTION_CONTEXT 15 2',
      'secret_amd_sev_es MEM_ENCRYPTION_CONTEXT 100 0',
    ]);
    const providers = await readTree(scope(), uuidOf('secret'));
    const sev = providers.find(({ name }) => name === 'secret_amd_sev');
    expect([sev?.traits, sev?.inventories.MEM_ENCRYPTION_CONTEXT?.maxUnit]).toEqual([[trait, 'OWNER_NOVA'], 1]);
    expect([providers[0]?.traits.includes(trait), Object.keys(providers[0]?.inventories ?? {}).toSorted()]).toEqual([
      false,
      ['DISK_GB', 'MEMORY_MB', 'VCPU'],
    ]);
    expect(await heldBy(database.db, 'guest14')).toEqual({ secret: { VCPU: 1 }, secret_amd_sev: { MEM_ENCRYPTION_CONTEXT: 1 } });
    await report('secret', { memoryEncryption: [] });
    expect(await below('secret')).toEqual(['secret_amd_sev MEM_ENCRYPTION_CONTEXT 2 2']);
  });

  test('stay until the host reports AMD SEV with room for them', async () => {
    await oldNode('sealed', 'MEM_ENCRYPTION_CONTEXT', 15, { guest16: 1, guest17: 1 });
    const before = await tree('sealed');
    expect(await refused('sealed', models({ AMD_SEV: 0, AMD_SEV_ES: 100 }))).toMatchObject([
      { code: 'IN_USE', path: ['memoryEncryption'], details: { key: 'MEM_ENCRYPTION_CONTEXT', count: 2 } },
    ]);
    expect(await refused('sealed', models({ AMD_SEV: 1 }))).toMatchObject([{ code: 'CAPACITY_EXCEEDED', path: ['memoryEncryption'] }, {}]);
    expect(await tree('sealed')).toEqual(before);
  });

  test('move in the same write as virtual GPUs, also of one consumer', async () => {
    await oldNode('two', 'VGPU', 4, { guest18: 1 });
    await seed().inventories('two', { VCPU: 8, MEMORY_MB: 8192, DISK_GB: 100, VGPU: 4, MEM_ENCRYPTION_CONTEXT: 4 });
    await releaseAllocations(scope(), { consumers: [{ consumer: uuidOf('guest18'), expect: { unchecked: true } }] });
    await seed().claim('guest18', { two: { VGPU: 1, MEM_ENCRYPTION_CONTEXT: 1 } });
    expect(await refused('two', { vgpus: [card(a, 4)], ...models({ AMD_SEV_ES: 4 }) })).toMatchObject([
      { code: 'IN_USE', path: ['vgpus'] },
      { code: 'IN_USE', path: ['memoryEncryption'] },
    ]);
    await report('two', { vgpus: [card(a, 4, { guest18: 1 })], ...models({ AMD_SEV: 4 }) });
    expect(await heldBy(database.db, 'guest18')).toEqual({ two_amd_sev: { MEM_ENCRYPTION_CONTEXT: 1 }, two_pci_0000_84_00_0: { VGPU: 1 } });
  });

  test('move in the same write as virtual GPUs of other consumers', async () => {
    await oldNode('both', 'VGPU', 4, { guest20: 1 });
    await seed().inventories('both', { VCPU: 8, MEMORY_MB: 8192, DISK_GB: 100, VGPU: 4, MEM_ENCRYPTION_CONTEXT: 4 });
    await seed().claim('guest21', { both: { VCPU: 1, MEM_ENCRYPTION_CONTEXT: 1 } });
    await report('both', { vgpus: [card(a, 4, { guest20: 1 })], ...models({ AMD_SEV: 4 }) });
    expect(await heldBy(database.db, 'guest20')).toEqual({ both: { VCPU: 1 }, both_pci_0000_84_00_0: { VGPU: 1 } });
    expect(await heldBy(database.db, 'guest21')).toEqual({ both: { VCPU: 1 }, both_amd_sev: { MEM_ENCRYPTION_CONTEXT: 1 } });
  });
});

test('through GraphQL a host reports AMD SEV-SNP and the consumers of its cards, and learns who lacks a place', async () => {
  await oldNode('asked', 'VGPU', 4, { guest19: 1 });
  const document = `mutation ($input: ReportComputeNodeInput!) { reportComputeNode(input: $input) {
    changed userErrors { code message path retry ... on InUse { noun key byCount by { ... on Consumer { uuid } } } } } }`;
  const send = (vgpus: readonly VgpuDevice[]) =>
    query(database.db, document, { input: { ...inputOf('asked', { vgpus }), memoryEncryption: [{ model: 'AMD_SEV_SNP', total: 3 }] } });
  expect(await send([card(a, 4)])).toEqual({
    reportComputeNode: {
      changed: false,
      userErrors: [
        {
          code: 'IN_USE',
          path: ['vgpus'],
          retry: 'NEVER',
          noun: 'INVENTORY',
          key: 'VGPU',
          byCount: 1,
          by: [{ uuid: uuidOf('guest19') }],
          message: expect.stringContaining('Name them as `consumers`'),
        },
      ],
    },
  });
  expect(await send([card(a, 4, { guest19: 1 })])).toEqual({ reportComputeNode: { changed: true, userErrors: [] } });
  expect((await below('asked')).toSorted()).toEqual(['asked_amd_sev_snp MEM_ENCRYPTION_CONTEXT 3 0', 'asked_pci_0000_84_00_0 VGPU 4 1']);
  const [, snp] = (await readTree(scope(), uuidOf('asked'))).toSorted((one, other) => one.name.localeCompare(other.name));
  expect(snp?.traits).toEqual(['HW_CPU_X86_AMD_SEV_SNP', 'OWNER_NOVA']);
});
