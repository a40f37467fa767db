// Reservations against a model: claims that search, write and are read in any order. The races of real claims are in test/operations/candidates/claims.test.ts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchInTurn } from '../../../src/domain/candidates/in-turn.ts';
import { inOneGo } from '../../../src/domain/candidates/steps.ts';
import type { UsedAmount } from '../../../src/domain/candidates/supposed-use.ts';
import { type Reservation, Reservations } from '../../../src/operations/forest/reservations.ts';
import { readRequest } from '../../support/candidate-request.ts';
import { sampled } from '../../support/profile.ts';
import { forestOf } from '../../support/tree.ts';

const hostCount = 12;
const room = 1000;
const spread = readRequest('VCPU:1', { order: [{ by: 'FREE', weights: [{ resourceClass: 'VCPU', weight: 1 }], descending: true }] });

interface UnderWay {
  readonly reservation: Reservation;
  /** The host of each of its consumers. */
  readonly hosts: readonly number[];
}

test('claims in progress choose as if the previous ones had been read, so equal hosts stay level, and nothing stays reserved', () => {
  const step = fc.record({
    does: fc.constantFrom('search', 'search', 'write', 'refuse', 'read'),
    which: fc.nat(),
    count: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const forest = forestOf(Array.from({ length: hostCount }, (_, index) => `host${index} VCPU ${room}`).join('\n'));
      const reservations = new Reservations();
      const underWay: UnderWay[] = [];
      const written: UnderWay[] = [];
      const used = new Map<number, number>();
      /** What each host will have when all under way is written. */
      const expected = new Map([...forest.everyProvider()].map(({ id }) => [id, 0]));
      const add = (hosts: readonly number[], sign: number, counts: Map<number, number>) => {
        for (const id of hosts) counts.set(id, (counts.get(id) ?? 0) + sign);
      };
      const search = (count: number): readonly UsedAmount[] =>
        inOneGo(
          searchInTurn(
            forest,
            spread,
            count,
            function* ({ candidates }) {
              return candidates.flatMap(({ allocations }) => allocations);
            },
            { reserved: reservations.amountsIn(forest) },
          ),
        );
      const read = () => {
        const done = reservations.written();
        for (const { hosts } of written.splice(0)) add(hosts, 1, used);
        forest.applyUse([...forest.everyProvider()].map(({ id }) => ({ id, generation: 1, updatedAt: '', used: [used.get(id) ?? 0] })));
        for (const reservation of done) reservations.giveBack(reservation);
      };
      let refused = false;
      for (const { does, which, count } of steps) {
        if (does === 'search') {
          const amounts = search(count);
          const hosts = amounts.map(({ provider }) => provider.id);
          for (const id of hosts) {
            // Each goes to a host with the least of all that is used and under way.
            expect(expected.get(id)).toBe(Math.min(...expected.values()));
            add([id], 1, expected);
          }
          underWay.push({ reservation: reservations.hold(amounts), hosts });
        } else if (does === 'read') read();
        else {
          const [one] = underWay.splice(which % Math.max(1, underWay.length), 1);
          if (!one) continue;
          one.reservation.isWritten = does === 'write';
          if (does === 'write') written.push(one);
          else {
            refused = true;
            reservations.giveBack(one.reservation);
            add(one.hosts, -1, expected);
          }
        }
        if (!refused) expect(Math.max(...expected.values()) - Math.min(...expected.values())).toBeLessThanOrEqual(1);
      }
      for (const one of underWay.splice(0)) {
        one.reservation.isWritten = true;
        written.push(one);
      }
      read();
      expect(reservations.amountsIn(forest)).toEqual([]);
      for (const provider of forest.everyProvider()) expect(provider.inventoryOf(0)?.used).toBe(expected.get(provider.id));
    }),
    { numRuns: sampled(100) },
  );
});

test('a claim that is sent twice chooses the same host both times, as only one is written', () => {
  const forest = forestOf('host0 VCPU 10\nhost1 VCPU 10');
  const reservations = new Reservations();
  const provider = [...forest.everyProvider()][0];
  if (!provider) throw new Error('no provider');
  reservations.hold([{ provider, classId: 0, amount: 4 }], 'key');
  expect(reservations.amountsIn(forest, 'key')).toEqual([]);
  for (const other of ['another key', null]) expect(reservations.amountsIn(forest, other)).toEqual([{ provider, classId: 0, amount: 4 }]);
});
