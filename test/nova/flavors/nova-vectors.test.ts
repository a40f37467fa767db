// Plays what Nova's own tests expect of its requests.
import { expect, test } from 'vitest';
import { flavorToRequest } from '../../../src/nova/flavors/flavor-request.ts';
import { refusalOf } from '../../support/versioned-objects.ts';
import { flavorRequestVectors } from './nova-flavor-requests.ts';
import { type ResourceRequestVector, resourceRequestVectors } from './nova-resource-requests.ts';

/** Amounts, and traits that are required (+) and forbidden (-), by suffix. */
function ask({ sizes, extraSpecs = {}, image = {}, isBfv, ports = [], isFallback }: ResourceRequestVector) {
  const [vcpus, memoryMb, rootGb, ephemeralGb, swapMb] = sizes;
  const { traits_required: imageTraits, ...properties } = image;
  const asked = flavorToRequest(
    { name: null, vcpus, memoryMb, rootGb, ephemeralGb, swapMb, extraSpecs },
    {
      bootedFromVolume: isBfv,
      imageTraits: (imageTraits ?? []) as readonly string[],
      imageProperties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)])),
      otherGroups: ports.map(({ requester, resources = {}, required = [] }) => ({
        suffix: requester,
        resources: Object.entries(resources).map(([resourceClass, amount]) => ({ resourceClass, amount })),
        traits: required.length > 0 ? [{ allOf: required }] : [],
      })),
    },
  );
  const request = isFallback ? asked.fallback : asked.request;
  const groups = (request?.groups ?? []).map(({ suffix, resources, traits }) => {
    const amounts = (resources ?? []).map(({ resourceClass, amount }) => `${resourceClass}:${amount}`);
    const conditions = (traits ?? []).flatMap(({ allOf, noneOf }) => [
      ...(allOf ?? []).map((trait) => `+${trait}`),
      ...(noneOf ?? []).map((trait) => `-${trait}`),
    ]);
    return [suffix ?? '', [...amounts, ...conditions].sort()];
  });
  return { groups: Object.fromEntries(groups), policy: request?.groupPolicy };
}

const inOrder = (groups: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(groups).map(([suffix, words]) => [suffix, words.split(' ').sort()]));

test.each([...resourceRequestVectors, ...flavorRequestVectors].filter(({ groups }) => !JSON.stringify(groups).includes('@')))(
  '$origin',
  (vector) => {
    if (vector.groups === null) expect(refusalOf(() => ask(vector))).toMatchObject([{ code: 'INVALID_INPUT' }]);
    else expect(ask(vector)).toEqual({ groups: inOrder(vector.groups), policy: vector.policy });
  },
);
