// Runs Nova's own tests of its requests, each with a RequestSpec, the object that the tests themselves make.
import { describe, expect, test } from 'vitest';
import { flavorToRequest } from '../../../src/nova/flavors/flavor-request.ts';
import { decodeText } from '../../../src/nova/objects/codec.ts';
import { type RequestSpecSettings, readRequestSpec } from '../../../src/nova/requests/request-specs.ts';
import { ownerNova, withOwner } from '../../../src/nova/services/owners.ts';
import type { CandidatesInput } from '../../../src/operations/candidates/requests.ts';
import { refusalOf } from '../../support/versioned-objects.ts';
import { flavorRequestVectors } from './nova-flavor-requests.ts';
import { requestFilterVectors } from './nova-request-filters.ts';
import { requestSpecOf, type SpecData } from './nova-request-spec.ts';
import { resourceRequestVectors } from './nova-resource-requests.ts';
import { leftOut, novaTests } from './nova-tests.ts';

type Group = CandidatesInput['groups'][number];

function translate(data: SpecData, settings: RequestSpecSettings = {}) {
  const { flavor, facts, pciGroups } = readRequestSpec(decodeText('RequestSpec', requestSpecOf(data)), settings, []);
  return { ...flavorToRequest(flavor, facts), pciGroups };
}

const aggregatesOf = ({ aggregates }: Group): string[] =>
  (aggregates ?? []).map(({ anyOf, noneOf }) => (anyOf ? `@${anyOf.join('|')}` : `!@${noneOf?.join('|')}`));

/** Its amounts, traits and aggregates, in any order. */
function wordsOf(group: Group): string[] {
  const amounts = (group.resources ?? []).map(({ resourceClass, amount }) => `${resourceClass}:${amount}`);
  const traits = (group.traits ?? []).flatMap(({ allOf, noneOf }) => [
    ...(allOf ?? []).map((trait) => `+${trait}`),
    ...(noneOf ?? []).map((trait) => `-${trait}`),
  ]);
  return [...amounts, ...traits, ...aggregatesOf(group)].sort();
}

const bySuffix = (groups: readonly Group[]) => Object.fromEntries(groups.map((group) => [group.suffix ?? '', wordsOf(group)]));
const inOrder = (groups: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(groups).map(([suffix, words]) => [suffix, words.split(' ').sort()]));

describe('ResourceRequest', () => {
  test.each([...resourceRequestVectors, ...flavorRequestVectors])('$origin', ({ groups, policy, isFallback, ...data }) => {
    if (groups === null) {
      expect(refusalOf(() => translate(data))).toMatchObject([{ code: 'INVALID_INPUT' }]);
      return;
    }
    const { request, fallback } = translate(data);
    const asked = isFallback ? fallback : request;
    expect(bySuffix(asked?.groups ?? [])).toEqual(inOrder(groups));
    expect(asked?.groupPolicy).toBe(policy);
    expect((asked?.sameSubtree ?? []).map(({ suffixes }) => suffixes)).toEqual(data.sameSubtree ?? []);
  });

  test('resource_request_from_request_groups', () => {
    const bandwidth = { NET_BW_IGR_KILOBIT_PER_SEC: 1000, NET_BW_EGR_KILOBIT_PER_SEC: 1000 };
    const resourceRequest = JSON.stringify({
      request_groups: [
        { id: 'group1', resources: bandwidth, required: ['CUSTOM_PHYSNET_2', 'CUSTOM_VNIC_TYPE_NORMAL'] },
        { id: 'group2', resources: { NET_PACKET_RATE_KILOPACKET_PER_SEC: 100 }, required: ['CUSTOM_VNIC_TYPE_NORMAL'] },
      ],
    });
    const nothing = { name: null, vcpus: 0, memoryMb: 0, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs: { group_policy: 'none' } };
    const { request } = flavorToRequest(nothing, {
      ports: [{ port: '4e2f5b6c-0a51-4bd1-8b3f-0c3a4f2c9d01', resourceRequest }],
      rootRequired: ['CUSTOM_BLUE'],
      rootForbidden: ['CUSTOM_DIRTY'],
      sameSubtree: [['group1', 'group2']],
    });
    expect(bySuffix(request.groups)).toEqual(
      inOrder({
        group1: 'NET_BW_EGR_KILOBIT_PER_SEC:1000 NET_BW_IGR_KILOBIT_PER_SEC:1000 +CUSTOM_PHYSNET_2 +CUSTOM_VNIC_TYPE_NORMAL',
        group2: 'NET_PACKET_RATE_KILOPACKET_PER_SEC:100 +CUSTOM_VNIC_TYPE_NORMAL',
      }),
    );
    expect(request).toMatchObject({
      groupPolicy: 'NONE',
      rootTraits: [{ allOf: ['CUSTOM_BLUE'], noneOf: ['COMPUTE_STATUS_DISABLED', 'CUSTOM_DIRTY'] }],
      sameSubtree: [{ suffixes: ['group1', 'group2'] }],
    });
  });
});

/** A cloud in which every node is known and has its owner. */
const none = { count: 0, names: [] };
const versionsOf = (minimum: number | null) => ({ minimum, unknown: none, unowned: none, settings: null });

describe('the pre-filters', () => {
  test.each(requestFilterVectors)('$origin', ({ spec, settings, version, isRefused, rootRequired = [], aggregates = [], owned = [] }) => {
    if (isRefused) {
      expect(refusalOf(() => translate(spec, { prefilters: settings }))).toMatchObject([{ code: 'INVALID_INPUT' }]);
      return;
    }
    const { request, flavorGroups, pciGroups } = translate(spec, { prefilters: settings });
    const filtered = withOwner(request, ownerNova, versionsOf(version ?? null), {
      flavorGroups: [...flavorGroups, ...pciGroups],
      pciGroups,
    }).request;
    const root = filtered.rootTraits ?? [];
    expect(root.flatMap(({ allOf }) => allOf ?? []).sort()).toEqual([...rootRequired].sort());
    expect(root.flatMap(({ noneOf }) => noneOf ?? [])).toEqual(['COMPUTE_STATUS_DISABLED']);
    expect(filtered.groups.flatMap(aggregatesOf)).toEqual(aggregates);
    const isOwned = ({ traits }: Group) => (traits ?? []).some(({ anyOf }) => anyOf?.includes(ownerNova));
    expect(filtered.groups.filter(isOwned).map(({ suffix }) => suffix ?? '')).toEqual(owned);
  });
});

test('every test of Nova is run or left out for a reason', () => {
  const vectors = [...resourceRequestVectors, ...flavorRequestVectors, ...requestFilterVectors];
  // The tests of destinations find compute nodes, so they are in translations.test.ts.
  const besides = [
    'resource_request_from_request_groups',
    'process_use_force_nodes',
    'process_use_force_hosts',
    'process_use_force_hosts_multinodes_found',
    'process_use_requested_destination',
  ];
  const played = new Set([...vectors.map(({ origin }) => origin), ...besides]);
  const unplayed = Object.values(leftOut).flat();
  const all = Object.values(novaTests).flat();
  expect(all).toHaveLength(116 + 51);
  expect([...played, ...unplayed].toSorted()).toEqual(all.toSorted());
  expect({ tests: played.size, cases: vectors.length + besides.length }).toEqual({ tests: 116, cases: 186 });
});
