// The operations in Nova's words, as its scheduler, conductor and computes send them. What they want is Nova's rule and not repeated here: the checker knows
// what they wrote from the events.
import type { Dice } from '../support/dice.ts';
import { mutation, type Plan, type Planner } from './allocation-plans.ts';
import type { Body } from './client.ts';
import { type Cloud, type Place, pick } from './cloud.ts';

const flavorAtRandom = (roll: Dice) => ({ fields: { vcpus: 1 + roll(3), memoryMb: 1 + roll(16), rootGb: 0 } });
const owner = { project: 'project 1', user: 'user 1' };
const serviceAtRandom = (roll: Dice) => ({ host: `host ${roll(4)}`, binary: 'nova-compute' });

const migrationPlan =
  (field: string, rest: (roll: Dice) => object): Planner =>
  (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 2);
    const [instance, migration] = places.map(({ uuid }) => uuid);
    return mutation(field, { migrationRecord: { fields: { uuid: migration, instance } }, ...rest(roll) }, '', { places });
  };
const expectationAtRandom = (roll: Dice) => (roll(4) === 0 ? { isNew: true } : { generation: 1 + roll(3) });

/** A plan whose answers tell where else its instances could go. */
function keepingTokens(plan: Plan, cloud: Cloud): Plan {
  return {
    ...plan,
    request: (key) => {
      const { readingsIn, ...request } = plan.request(key);
      return {
        ...request,
        readingsIn: (body, status) => {
          cloud.keepTokens(tokensIn(body));
          return readingsIn?.(body, status) ?? [];
        },
      };
    },
  };
}

function tokensIn({ data }: Body): string[] {
  const { payload } = (data ?? {}) as {
    payload?: { destinations?: readonly ({ alternates: readonly { candidate: { claimToken: string } }[] } | null)[] | null } | null;
  };
  return (payload?.destinations ?? []).flatMap((one) => one?.alternates.map(({ candidate }) => candidate.claimToken) ?? []);
}

/** A provider as its compute service sees it. */
const nodeOf = (roll: Dice, uuid: string) => ({
  ...{ uuid, serviceHost: `host ${roll(4)}`, hypervisorHostname: `changing ${uuid}` },
  ...{ vcpus: 6 + roll(12), memoryMb: 64, localGb: 4 + roll(20) },
});

const hostedInstance = (roll: Dice, { uuid }: Place) => ({ instanceRecord: { fields: { uuid, ...owner, flavor: flavorAtRandom(roll) } } });

export const novaPlans: Readonly<Record<string, Planner>> = {
  selectDestinations: (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 1 + roll(2));
    const instances = places.map(({ uuid }) => ({ instance: uuid, ...owner }));
    const input = { instances, requestFrom: { flavorToRequest: { flavor: flavorAtRandom(roll) } }, alternates: 1 };
    return keepingTokens(
      mutation('selectDestinations', input, 'destinations { alternates { candidate { claimToken } } }', { places }),
      cloud,
    );
  },
  claimAlternate: (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 1);
    const token = cloud.tokens.length === 0 ? 'none yet' : pick(roll, cloud.tokens);
    const input = { instance: places[0]?.uuid, expect: expectationAtRandom(roll), selections: [{ claimToken: token }], ...owner };
    return mutation('claimAlternate', input, 'place', { places });
  },
  claimInstance: (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 1);
    const input = { hostedInstance: hostedInstance(roll, places[0] as Place), computeNode: pick(roll, cloud.steady) };
    return mutation('claimInstance', input, '', { places });
  },
  startMigration: migrationPlan('startMigration', (roll) => ({ expect: expectationAtRandom(roll) })),
  endMigration: migrationPlan('endMigration', (roll) => ({ outcome: roll(2) === 0 ? 'CONFIRMED' : 'REVERTED' })),
  reportService: (roll) => mutation('reportService', { service: { fields: { ...serviceAtRandom(roll), version: 60 + roll(10) } } }, ''),
  deleteService: (roll) => mutation('deleteService', serviceAtRandom(roll), ''),
  // One correction in a call: more of them write more events.
  auditComputeNode: (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 1) as [Place];
    const [place] = places;
    const audit = { computeNode: pick(roll, cloud.steady), host: 'host 1' };
    if (roll(2) === 0)
      return mutation('auditComputeNode', { ...audit, instances: [hostedInstance(roll, place)], repair: true }, '', { places });
    const input = { ...audit, instances: [], known: [{ instance: place.uuid, host: 'host 1', deleted: true }], removeStale: true };
    cloud.vacate(place);
    return mutation('auditComputeNode', input, '');
  },
  reportComputeNode: (roll, cloud) =>
    mutation('reportComputeNode', { computeNodeRecord: { fields: nodeOf(roll, pick(roll, cloud.changing)) }, reservedMemoryMb: 0 }, ''),
  importComputeNodes: (roll, cloud) => {
    const { uuid: _, ...fields } = nodeOf(roll, pick(roll, cloud.loose));
    return mutation('importComputeNodes', { records: [{ fields }] }, '');
  },
  reportPool: (roll, cloud) => {
    const uuid = pick(roll, cloud.pools);
    const inventories = [{ resourceClass: 'DISK_GB', total: 50 + roll(50) }];
    const aggregates = cloud.aggregates.filter(() => roll(2) === 0);
    return mutation('reportPool', { uuid, name: `pool ${uuid}`, inventories, aggregates }, 'resourceProvider { uuid generation }');
  },
};
