// Examination. Makes random histories in another Placement, a second gateway of ours, and compares both.
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { listOwnNames, listOwnUuids } from '../../src/bridge/ledger.ts';
import { makeThere, type Objects } from '../../src/bridge/outgoing.ts';
import { capacityOf, inventoryFaults, unitFault } from '../../src/domain/inventory.ts';
import { type Dice, freshDice } from '../support/dice.ts';
import { type Contents, contentsOf, usePairOfPlacements, writesOf } from '../support/pair-of-placements.ts';
import { writeAtRandom } from '../support/random-writes.ts';

const pair = usePairOfPlacements();

/**
 * Whether the other side can accept all: imports may bring inventories that nobody may write, and an inventory may have changed under its consumers, which then
 * exceed its capacity or violate its units.
 */
const keepsAllRules = ({ providers, consumers }: Contents): boolean =>
  [...providers.values()].every(({ inventories }) => Object.values(inventories).every((record) => inventoryFaults(record).length === 0)) &&
  [...consumers.values()].every(({ allocations }) =>
    allocations.every(({ provider, resourceClass, amount }) => {
      const { inventories, used } = providers.get(provider) ?? {};
      const inventory = inventories?.[resourceClass];
      return inventory && unitFault(inventory, amount) === null && (used?.[resourceClass] ?? 0) <= capacityOf(inventory);
    }),
  );

type Touched = { [Noun in keyof Objects]: Set<string> };

/** Writes at random. Adds all that exists at any time to `touched`. */
async function writeHistory(roll: Dice, length: number, touched: Touched): Promise<void> {
  for (let count = 0; count < length; count++) {
    await writeAtRandom(pair.here.db, roll);
    const found = { ...(await listOwnNames(pair.here.db)), ...(await listOwnUuids(pair.here.db)) };
    for (const noun of ['resourceClasses', 'traits', 'providers', 'consumers'] as const)
      for (const key of found[noun]) touched[noun].add(key);
  }
}

const keysThatDiffer = (ours: ReadonlyMap<string, unknown>, theirs: ReadonlyMap<string, unknown>) =>
  [...new Set([...ours.keys(), ...theirs.keys()])].filter((key) => !isDeepStrictEqual(ours.get(key), theirs.get(key)));

const withoutUsage = (providers: Contents['providers']) =>
  new Map([...providers].map(([uuid, provider]) => [uuid, { ...provider, used: {} }]));

test.for(Array.from({ length: 40 }, (_, index) => index))(
  'both sides are equal after random history %i, but for refused objects',
  async (index) => {
    const roll = freshDice(`outgoing ${index}`);
    const objects: Touched = { resourceClasses: new Set(), traits: new Set(), providers: new Set(), consumers: new Set() };
    for (let part = 0; part < 4; part++) {
      await writeHistory(roll, 5 + roll(40), objects);
      const differences = await makeThere(pair.here.db, pair.placement, objects);
      const [ours, theirs] = [await contentsOf(pair.here), await contentsOf(pair.there)];
      const listed = new Set(differences.map(({ key }) => key));
      const differing = [
        ...keysThatDiffer(withoutUsage(ours.providers), withoutUsage(theirs.providers)),
        ...keysThatDiffer(ours.consumers, theirs.consumers),
        ...keysThatDiffer(new Map(ours.names.map((name) => [name, true])), new Map(theirs.names.map((name) => [name, true]))),
      ];
      expect(differing.filter((key) => !listed.has(key))).toEqual([]);
      if (keepsAllRules(ours)) expect(differences).toEqual([]);
      pair.requests.length = 0;
      expect(await makeThere(pair.here.db, pair.placement, objects)).toEqual(differences);
      if (differences.length === 0) expect(writesOf(pair.requests)).toEqual([]);
    }
  },
);
