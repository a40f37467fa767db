// How many NUMA cells a guest has: those that its flavor or image asks for, or one when its processors, pages or persistent memory must be near each other.
// What Nova derives from it beside, such as which processors are in which cell, is the affair of hosts.
import { processorsOf } from './processors.ts';
import { flavorValue, imageValue, type Properties } from './properties.ts';

/** None when the guest has no cells: then nothing is near or far. Refuses what processorsOf refuses. */
export function countGuestCells(vcpus: number, properties: Properties): number {
  const asked = Number(flavorValue(properties, 'hw:numa_nodes') || imageValue(properties, 'hw:numa_nodes') || 0);
  if (Number.isInteger(asked) && asked > 0) return asked;
  const hasPages = Boolean(flavorValue(properties, 'hw:mem_page_size') || imageValue(properties, 'hw:mem_page_size'));
  const isInOne = hasPages || Boolean(flavorValue(properties, 'hw:pmem')) || processorsOf(vcpus, properties).isAnyDedicated;
  return isInOne ? 1 : 0;
}
