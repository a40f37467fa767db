// A rebuild with another image, checked as in Nova: the instance keeps its allocations, and their providers must have the traits that the image requires. As a
// client sends it, on a real database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { heldBy } from '../../support/held.ts';
import { createWriter } from '../../support/mutations.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { plantTrees } from '../../support/tree.ts';

const database = useDatabase();
let gateway: Gateway;
let write: ReturnType<typeof createWriter>['write'];
let refusal: ReturnType<typeof createWriter>['refusal'];

const holding = { cn1: { VCPU: 2, MEMORY_MB: 512 }, gpu0: { VGPU: 1 } };

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  ({ write, refusal } = createWriter(gateway, database));
  await plantTrees(
    database.db,
    `
    cn1     VCPU 8, MEMORY_MB 8192  COMPUTE_NODE OWNER_NOVA HW_CPU_X86_AVX
      gpu0  VGPU 2                  OWNER_NOVA HW_GPU_API_VULKAN
      gpu1  VGPU 2                  OWNER_NOVA HW_GPU_API_DXVA
    `,
  );
  const seed = createSeed(database.db);
  await seed.claim('vm', holding);
  await seed.claim('plain', { cn1: { VCPU: 2, MEMORY_MB: 512 } });
});
afterAll(() => gateway.close());

const rebuild = (name: string, traits: Readonly<Record<string, string>>, extraSpecs: Readonly<Record<string, string>> = {}) => {
  const asked = { ...(name === 'vm' ? { 'resources:VGPU': '1' } : {}), ...extraSpecs };
  const flavor = { vcpus: 2, memoryMb: 512, extraSpecs: Object.entries(asked).map(([key, value]) => ({ key, value })) };
  return {
    computeNode: uuidOf('cn1'),
    hostedInstance: {
      instanceRecord: { fields: { uuid: uuidOf(name), project: 'p1', user: 'u1', flavor: { fields: flavor } } },
      imageProperties: Object.entries(traits).map(([trait, value]) => ({ key: `trait:${trait}`, value })),
    },
  };
};

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['traits of its host', 'plain', { HW_CPU_X86_AVX: 'required' }],
  ['traits of its device', 'vm', { HW_CPU_X86_AVX: 'required', HW_GPU_API_VULKAN: 'required' }],
  ['nothing', 'vm', { HW_GPU_API_DXVA: 'preferred' }],
])('an instance is rebuilt with an image that requires %s, and keeps its allocations', async (_, name, traits) => {
  expect(await write('claimInstance', rebuild(name, traits), 'changed')).toEqual({ changed: false, userErrors: [] });
});

test('but not with an image that requires traits which none of its providers has', async () => {
  expect(await refusal('claimInstance', rebuild('plain', { HW_CPU_X86_AVX: 'required', HW_GPU_API_VULKAN: 'required' }))).toMatchObject({
    code: 'NO_CANDIDATES',
    path: ['hostedInstance', 'imageProperties'],
    message: expect.stringContaining('HW_GPU_API_VULKAN'),
  });
  expect(await refusal('claimInstance', rebuild('vm', { HW_GPU_API_DXVA: 'required' }))).toMatchObject({ code: expect.any(String) });
  expect(await heldBy(database.db, 'vm')).toEqual(holding);
});

test.each(['trait:HW_CPU_X86_AVX', 'trait1:HW_CPU_X86_AVX'])(
  'nor with one that requires a trait that its flavor forbids (%s)',
  async (key) => {
    const specs = key.startsWith('trait1') ? { 'resources1:VGPU': '1', 'resources:VGPU': '0' } : {};
    const input = rebuild('plain', { HW_CPU_X86_AVX: 'required' }, { [key]: 'forbidden', ...specs });
    expect(await refusal('claimInstance', input)).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await heldBy(database.db, 'plain')).toEqual({ cn1: { VCPU: 2, MEMORY_MB: 512 } });
  },
);
