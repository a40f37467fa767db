// From a flavor to candidates: a scheduler's first two queries.
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { useDatabase } from '../../support/database.ts';
import { query } from '../../support/graphql.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';
import { wireOf } from '../../support/versioned-objects.ts';

interface Request {
  readonly request: object;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly subject: string | null }[];
}

const database = useDatabase();

/** One host with shared and dedicated processors and two cards, one of them fast; another with only shared processors. */
beforeAll(async () => {
  const seed = createSeed(database.db);
  const sizes = { VCPU: 16, MEMORY_MB: 32_768, DISK_GB: 500 };
  await seed.provider('cn1', { inventories: { ...sizes, PCPU: 8 }, traits: ['HW_CPU_HYPERTHREADING'] });
  await seed.provider('cn1_gpu0', { parent: 'cn1', inventories: { VGPU: 4 }, traits: ['CUSTOM_FAST'] });
  await seed.provider('cn1_gpu1', { parent: 'cn1', inventories: { VGPU: 4 } });
  await seed.provider('cn2', { inventories: sizes });
  for (const [host, zone] of [['cn1', 'az1'] as const, ['cn2', 'az2'] as const]) await seed.aggregates(host, [zone, 'all']);
});

async function toRequest(input: object): Promise<Request> {
  const answer = await query<{ flavorToRequest: Request }>(
    database.db,
    `query ($input: FlavorToRequestInput!) { flavorToRequest(input: $input) { warnings { code message subject } request { groupPolicy groups {
      suffix resources { resourceClass amount } traits { allOf noneOf } inTrees
    } rootTraits { allOf noneOf } } } }`,
    { input },
  );
  return answer.flavorToRequest;
}

/** The roots and providers of the candidates of a request. */
async function find(request: object): Promise<string[]> {
  const { allocationCandidates } = await query<{
    allocationCandidates: {
      candidates: { allocations: { resourceProvider: { name: string }; resourceClass: { name: string }; amount: number }[] }[];
    };
  }>(
    database.db,
    `query ($input: CandidatesInput!) { allocationCandidates(input: $input) { candidates { allocations {
      resourceProvider { name } resourceClass { name } amount
    } } } }`,
    { input: request },
  );
  return allocationCandidates.candidates.map(({ allocations }) =>
    allocations.map(({ resourceProvider, resourceClass, amount }) => `${resourceProvider.name} ${resourceClass.name} ${amount}`).join(', '),
  );
}

const small = { vcpus: 2, memoryMb: 2048, rootGb: 10, ephemeralGb: 5, swapMb: 1 };
const specs = (extraSpecs: Record<string, string>) => Object.entries(extraSpecs).map(([key, value]) => ({ key, value }));

describe('a flavor as a request', () => {
  test('is passed to the search unchanged, and finds the hosts with room', async () => {
    const { request, warnings } = await toRequest({ flavor: { fields: small } });
    expect(warnings).toMatchObject([{ code: 'OWNERS_NOT_CHECKED' }]);
    expect(await find(request)).toEqual([
      'cn1 VCPU 2, cn1 MEMORY_MB 2048, cn1 DISK_GB 16',
      'cn2 VCPU 2, cn2 MEMORY_MB 2048, cn2 DISK_GB 16',
    ]);
  });

  test('with groups, traits and policies finds hosts that have them all', async () => {
    const extraSpecs = specs({
      'hw:cpu_policy': 'dedicated',
      'hw:cpu_thread_policy': 'require',
      'resources:DISK_GB': '0',
      'resources1:VGPU': '1',
      'trait1:CUSTOM_FAST': 'required',
      'resources2:VGPU': '2',
      'trait2:CUSTOM_FAST': 'forbidden',
      group_policy: 'isolate',
    });
    const { request } = await toRequest({ flavor: { fields: { ...small, extraSpecs } } });
    expect(await find(request)).toEqual(['cn1 PCPU 2, cn1 MEMORY_MB 2048, cn1_gpu0 VGPU 1, cn1_gpu1 VGPU 2']);
  });

  test('is the same from a versioned object', async () => {
    const data = { vcpus: 2, memory_mb: 2048, root_gb: 10, ephemeral_gb: 5, swap: 1, extra_specs: { 'resources:VGPU': '1' } };
    const fromObject = await toRequest({ flavor: { object: JSON.stringify(wireOf('Flavor', '1.1', data)) } });
    expect(fromObject).toEqual(await toRequest({ flavor: { fields: { ...small, extraSpecs: specs({ 'resources:VGPU': '1' }) } } }));
  });

  test('takes no root disk for a volume, and requires the traits of the image', async () => {
    const answer = await toRequest({
      flavor: { fields: small },
      bootedFromVolume: true,
      imageTraits: ['HW_CPU_HYPERTHREADING'],
      imageProperties: specs({ hw_cpu_policy: 'dedicated', 'trait:CUSTOM_FAST': 'preferred' }),
    });
    expect(answer).toEqual({
      warnings: [
        {
          code: 'IMAGE_PROPERTY_LEFT_OUT',
          message: 'trait:CUSTOM_FAST of the image was left out: preferred is not required',
          subject: 'trait:CUSTOM_FAST',
        },
        expect.objectContaining({ code: 'OWNERS_NOT_CHECKED' }),
      ],
      request: {
        groupPolicy: 'NONE',
        rootTraits: [{ allOf: null, noneOf: ['COMPUTE_STATUS_DISABLED'] }],
        groups: [
          {
            suffix: null,
            resources: [
              { resourceClass: 'PCPU', amount: 2 },
              { resourceClass: 'MEMORY_MB', amount: 2048 },
              { resourceClass: 'DISK_GB', amount: 6 },
            ],
            traits: [{ allOf: ['HW_CPU_HYPERTHREADING'], noneOf: null }],
            inTrees: null,
          },
        ],
      },
    });
  });

  test.each([
    ['a flavor with negative memory', { flavor: { fields: { ...small, memoryMb: -1 } } }, ['flavor', 'fields', 'memoryMb']],
    [
      'an object of another kind',
      { flavor: { object: JSON.stringify(wireOf('Service', '1.22', {})) } },
      ['flavor', 'object', 'nova_object.name'],
    ],
    [
      'a property of the image twice',
      { flavor: { fields: small }, imageProperties: [...specs({ a: '1' }), ...specs({ a: '2' })] },
      ['imageProperties', '1', 'key'],
    ],
    ['mixed processors without a mask', { flavor: { fields: { ...small, extraSpecs: specs({ 'hw:cpu_policy': 'mixed' }) } } }, ['flavor']],
  ])('is refused for %s', async (_what, input, path) => {
    const problems = await toRequest(input).then(
      () => [],
      (error: unknown) => (error instanceof Refusal ? error.problems : Promise.reject(error)),
    );
    expect(problems).toMatchObject([{ code: 'INVALID_INPUT', path }]);
  });
});

test('how many of a flavor fit is counted at once, in all and in the aggregates that are asked for', async () => {
  const fitOf = (extraSpecs: Record<string, string>) =>
    query(
      database.db,
      `query ($input: FlavorToRequestInput!, $aggregates: [UUID!]) { flavorToRequest(input: $input) { fit {
        total byAggregate(aggregates: $aggregates) { totalCount nodes { aggregate { name } count } } } } }`,
      {
        input: { flavor: { fields: { ...small, extraSpecs: specs(extraSpecs) } } },
        aggregates: ['az1', 'az2', 'nowhere'].map(uuidOf),
      },
    );
  const counted = (total: number, counts: Record<string, number>) => {
    const nodes = Object.entries(counts).map(([name, count]) => ({ aggregate: { name: uuidOf(name) }, count }));
    return { flavorToRequest: { fit: { total, byAggregate: { totalCount: nodes.length, nodes } } } };
  };
  expect(await fitOf({})).toEqual(counted(16, { az1: 8, az2: 8 }));
  expect(await fitOf({ 'resources:VGPU': '2' })).toEqual(counted(4, { az1: 4 }));
  await expect(fitOf({ 'resources:CUSTOM_NONE': '1' })).rejects.toMatchObject({ problems: [{ code: 'NOT_FOUND' }] });
});

test('a request spec becomes a request that is passed to the search unchanged', async () => {
  const flavor = wireOf('Flavor', '1.2', { vcpus: 2, memory_mb: 2048, root_gb: 10, ephemeral_gb: 5, swap: 1, extra_specs: {} });
  const level = wireOf('RequestLevelParams', '1.1', { root_required: ['HW_CPU_HYPERTHREADING'], same_subtree: [['a', 'b']] });
  const groups = ['a', 'b'].map((requester_id) => wireOf('RequestGroup', '1.3', { requester_id, resources: { VGPU: 2 } }));
  const spec = wireOf('RequestSpec', '1.15', { flavor, request_level_params: level, requested_resources: groups, is_bfv: true });
  const { requestSpecToRequest } = await query<{ requestSpecToRequest: Request }>(
    database.db,
    `query ($input: RequestSpecToRequestInput!) { requestSpecToRequest(input: $input) { fallback { groupPolicy } warnings { code } request { groupPolicy
      groups { suffix resources { resourceClass amount } traits { allOf anyOf noneOf } aggregates { anyOf noneOf } inTrees }
      rootTraits { allOf anyOf noneOf } sameSubtree { suffixes }
    } } }`,
    { input: { requestSpec: JSON.stringify(spec) } },
  );
  expect(await find(requestSpecToRequest.request)).toEqual([
    'cn1 VCPU 2, cn1 MEMORY_MB 2048, cn1 DISK_GB 6, cn1_gpu0 VGPU 4',
    'cn1 VCPU 2, cn1 MEMORY_MB 2048, cn1 DISK_GB 6, cn1_gpu1 VGPU 4',
  ]);
});
