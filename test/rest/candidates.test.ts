import { describe, expect, test } from 'vitest';
import { type CandidatesAnswer, renderCandidates } from '../../src/rest/candidates.ts';
import { parseCandidatesQuery } from '../../src/rest/handlers/candidates-query.ts';
import { Query } from '../../src/rest/query.ts';

// cn1 provides cores, its child nic the port, and the pool the disk; idle is another child of cn1.
const found: CandidatesAnswer = {
  candidates: [
    {
      allocations: [
        { provider: 'cn1', resourceClass: 'VCPU', amount: 2 },
        { provider: 'cn1', resourceClass: 'MEMORY_MB', amount: 512 },
        { provider: 'pool', resourceClass: 'DISK_GB', amount: 10 },
      ],
      mappings: [
        { suffix: '', providers: ['cn1', 'pool'] },
        { suffix: '_NUMA', providers: ['idle'] },
      ],
    },
  ],
  summaries: [
    {
      uuid: 'cn1',
      parent: null,
      root: 'cn1',
      traits: ['COMPUTE_NODE', 'CUSTOM_A'],
      inventories: [
        { resourceClass: 'VCPU', capacity: 64, used: 3 },
        { resourceClass: 'PCPU', capacity: 8, used: 0 },
      ],
    },
    { uuid: 'idle', parent: 'cn1', root: 'cn1', traits: [], inventories: [{ resourceClass: 'VCPU', capacity: 1, used: 1 }] },
    { uuid: 'pool', parent: null, root: 'pool', traits: ['MISC_SHARES_VIA_AGGREGATE'], inventories: [] },
  ],
};

const parsed = (body: unknown): unknown => JSON.parse(Buffer.from(body as Uint8Array).toString());

const at = (minor: number) =>
  parsed(renderCandidates(found, parseCandidatesQuery(new Query('resources=VCPU:2,MEMORY_MB:512,DISK_GB:10'), minor), minor)) as {
    allocation_requests: Record<string, unknown>[];
    provider_summaries: Record<string, Record<string, unknown>>;
  };

describe('an allocation request is rendered', () => {
  test('as a list up to 1.11', () => {
    expect(at(11).allocation_requests).toEqual([
      {
        allocations: [
          { resource_provider: { uuid: 'cn1' }, resources: { VCPU: 2, MEMORY_MB: 512 } },
          { resource_provider: { uuid: 'pool' }, resources: { DISK_GB: 10 } },
        ],
      },
    ]);
  });

  test('by provider from 1.12 on', () => {
    expect(at(12).allocation_requests).toEqual([
      { allocations: { cn1: { resources: { VCPU: 2, MEMORY_MB: 512 } }, pool: { resources: { DISK_GB: 10 } } } },
    ]);
  });

  test('with the providers of each group from 1.34 on, including those without amounts', () => {
    expect(at(33).allocation_requests[0]).not.toHaveProperty('mappings');
    expect(at(34).allocation_requests[0]).toHaveProperty('mappings', { '': ['cn1', 'pool'], _NUMA: ['idle'] });
  });
});

describe('a provider summary contains', () => {
  test('only the requested classes up to 1.26, and all classes from 1.27 on', () => {
    expect(at(26).provider_summaries.cn1?.resources).toEqual({ VCPU: { capacity: 64, used: 3 } });
    expect(at(27).provider_summaries.cn1?.resources).toEqual({ VCPU: { capacity: 64, used: 3 }, PCPU: { capacity: 8, used: 0 } });
  });

  test('traits from 1.17 on', () => {
    expect(at(16).provider_summaries.cn1).not.toHaveProperty('traits');
    expect(at(17).provider_summaries.cn1).toHaveProperty('traits', ['COMPUTE_NODE', 'CUSTOM_A']);
  });

  test('its place in the tree from 1.29 on', () => {
    expect(at(28).provider_summaries.cn1).not.toHaveProperty('root_provider_uuid');
    expect(at(29).provider_summaries.idle).toMatchObject({ parent_provider_uuid: 'cn1', root_provider_uuid: 'cn1' });
  });
});

test('up to 1.28 only providers with amounts are summarized, since then whole trees', () => {
  expect(Object.keys(at(28).provider_summaries)).toEqual(['cn1', 'pool']);
  expect(Object.keys(at(29).provider_summaries)).toEqual(['cn1', 'idle', 'pool']);
});

test('an empty result is rendered', () => {
  const nothing = renderCandidates({ candidates: [], summaries: [] }, parseCandidatesQuery(new Query('resources=VCPU:1'), 39), 39);
  expect(parsed(nothing)).toEqual({ allocation_requests: [], provider_summaries: {} });
});

test('a long answer comes in pieces with the same content', async () => {
  const [candidate] = found.candidates;
  const [summary] = found.summaries;
  if (!candidate || !summary) throw new Error('nothing found');
  const many = Array.from({ length: 5000 }, (_, index) => `cn${index}`);
  const long: CandidatesAnswer = {
    candidates: many.map((uuid) => ({ ...candidate, allocations: [{ provider: uuid, resourceClass: 'VCPU', amount: 2 }] })),
    summaries: many.map((uuid) => ({ ...summary, uuid, root: uuid })),
  };
  const request = parseCandidatesQuery(new Query('resources=VCPU:2'), 39);
  const pieces: Uint8Array[] = [];
  for await (const piece of renderCandidates(long, request, 39) as AsyncIterable<Uint8Array>) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(4);
  const one = (place: number) => {
    const [candidates, summaries] = [long.candidates.slice(place, place + 1), long.summaries.slice(place, place + 1)];
    return parsed(renderCandidates({ candidates, summaries }, request, 39));
  };
  const { allocation_requests: requests, provider_summaries: summaries } = JSON.parse(Buffer.concat(pieces).toString());
  expect([requests.length, Object.keys(summaries)]).toEqual([5000, many]);
  for (const place of [0, 1999, 2000, 4999]) {
    expect({ allocation_requests: [requests[place]], provider_summaries: { [`cn${place}`]: summaries[`cn${place}`] } }).toEqual(one(place));
  }
});
