// The order in which a tree is read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inTreeOrder } from '../../../../../src/ui/dashboard/pages/provider/tree-order.ts';

test('each provider comes before its children, which are ordered as people count', () => {
  const member = (uuid: string, parent: string | null) => ({ uuid, name: uuid, parent: parent === null ? null : { uuid: parent } });
  const members = [member('numa10', 'host'), member('pci', 'numa2'), member('host', null), member('numa2', 'host')];
  expect(inTreeOrder(members).map(({ uuid }) => uuid)).toEqual(['host', 'numa2', 'pci', 'numa10']);
});

test('no provider is lost, whatever the shape', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 20 }), (parents) => {
      const members = parents.map((number, index) => ({
        uuid: `u${index}`,
        name: `n${number}`,
        parent: index === 0 ? { uuid: 'not shown' } : { uuid: `u${number % index}` },
      }));
      const order = inTreeOrder(members).map(({ uuid }) => uuid);
      expect(order.toSorted()).toEqual(members.map(({ uuid }) => uuid).toSorted());
      for (const { uuid, parent } of members.slice(1)) expect(order.indexOf(parent.uuid)).toBeLessThan(order.indexOf(uuid));
    }),
  );
});
