// The operations in Nova's words, as its scheduler, conductor and computes send them. What they want is Nova's rule and not repeated here: the checker knows
// what they wrote from the events.
import { mutation, type Planner } from './allocation-plans.ts';
import { pick } from './cloud.ts';

const flavorAtRandom = (roll: (sides: number) => number) => ({ fields: { vcpus: 1 + roll(3), memoryMb: 1 + roll(16), rootGb: 0 } });
const owner = { project: 'project 1', user: 'user 1' };
const serviceAtRandom = (roll: (sides: number) => number) => ({ host: `host ${roll(4)}`, binary: 'nova-compute' });

const migrationPlan =
  (field: string): Planner =>
  (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 2);
    const [instance, migration] = places.map(({ uuid }) => uuid);
    return mutation(field, { migration: { fields: { uuid: migration, instance } } }, '', { places });
  };

export const novaPlans: Readonly<Record<string, Planner>> = {
  selectDestinations: (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 1 + roll(2));
    const instances = places.map(({ uuid }) => ({ instance: uuid, ...owner }));
    return mutation('selectDestinations', { instances, flavor: flavorAtRandom(roll), alternates: 1 }, '', { places });
  },
  claimInstance: (roll, cloud) => {
    const places = cloud.choosePlaces(roll, 1);
    const fields = { uuid: places[0]?.uuid, ...owner, flavor: flavorAtRandom(roll) };
    return mutation('claimInstance', { instance: { fields }, computeNode: pick(roll, cloud.steady) }, '', { places });
  },
  releaseInstance: (roll, cloud) => {
    const [place] = cloud.choosePlaces(roll, 1);
    const instance = place?.uuid;
    if (place) cloud.vacate(place);
    return mutation('releaseInstance', { instance }, '');
  },
  startMigration: migrationPlan('startMigration'),
  confirmMigration: migrationPlan('confirmMigration'),
  revertMigration: migrationPlan('revertMigration'),
  reportService: (roll) => mutation('reportService', { service: { fields: { ...serviceAtRandom(roll), version: 60 + roll(10) } } }, ''),
  removeService: (roll) => mutation('removeService', serviceAtRandom(roll), ''),
};
