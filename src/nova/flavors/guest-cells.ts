// The NUMA cells of a guest: as many as its flavor or image requests, or one if its processors, pages or persistent memory must be near each other.
import { limits } from '../../domain/limits.ts';
import type { GuestCell, GuestTopology, PageSize } from '../numa/numa-cells.ts';
import { badFlavor, flavorValue, imageValue, type Properties } from '../terms/properties.ts';
import { processorsOf, readMask } from './processors.ts';

/** No host has more cells. */
const maxCells = limits.reportElements;

interface Sizes {
  readonly vcpus: number;
  readonly memoryMb: number;
}

/** Null if the guest has no cells, so its place on the host does not matter. Refuses what processorsOf refuses, and cells that do not add up to the guest. */
export function guestTopologyOf(sizes: Sizes, properties: Properties): GuestTopology | null {
  const { isDedicated, policy, threads, isolatesEmulator } = processorsOf(sizes.vcpus, properties);
  const asked = countOf(properties);
  const pageSize = pageSizeOf(properties);
  const isNear = pageSize !== null || Boolean(flavorValue(properties, 'hw:pmem')) || policy === 'dedicated' || policy === 'mixed';
  if (asked === null && !isNear) return null;
  const cells = cellsOf(sizes, asked ?? 1, properties).map(({ processors, memoryMb }): GuestCell => {
    const dedicated = policy === 'dedicated' ? processors.size : processors.countOf(isDedicated);
    return { shared: processors.size - dedicated, dedicated, memoryMb, pageSize, policy, threads };
  });
  return { cells, isolatesEmulator, networks: [] };
}

function countOf(properties: Properties): number | null {
  const name = 'hw:numa_nodes';
  const ofFlavor = flavorValue(properties, name);
  const text = ofFlavor || imageValue(properties, name);
  if (!text) return null;
  // As in Nova, a flavor must spell it plainly; of an image it is read as a number.
  const count = (ofFlavor ? /^[1-9]\d{0,8}$/ : /^\s*\+?\d{1,9}\s*$/).test(text) ? Number(text) : 0;
  if (count < 1 || count > maxCells) throw badFlavor(`${name} must be from 1 to ${maxCells}, is ${text}`);
  return count;
}

interface Part {
  readonly processors: { readonly size: number; readonly countOf: (isOne: (processor: number) => boolean) => number };
  readonly memoryMb: number;
}

/** Equal parts, unless each is described. */
function cellsOf({ vcpus, memoryMb }: Sizes, count: number, properties: Properties): Part[] {
  const [masks, memories] = [listOf(properties, 'hw:numa_cpus'), listOf(properties, 'hw:numa_mem')];
  if (masks.length === 0 && memories.length === 0) {
    if (vcpus % count > 0 || memoryMb % count > 0)
      throw badFlavor(
        `${count} cells cannot be equal with ${vcpus} processors and ${memoryMb} MiB: describe them by hw:numa_cpus and hw:numa_mem`,
      );
    const size = vcpus / count;
    return Array.from({ length: count }, (_, cell) => ({ processors: rangeOf(cell * size, size), memoryMb: memoryMb / count }));
  }
  if (masks.length !== count || memories.length !== count)
    throw badFlavor(`hw:numa_cpus and hw:numa_mem must describe each of the ${count} cells`);
  const sets = masks.map((mask) => readMask(mask, vcpus));
  if (new Set(sets.flatMap((set) => [...set])).size !== vcpus || sets.reduce((sum, { size }) => sum + size, 0) !== vcpus)
    throw badFlavor(`hw:numa_cpus must give each of the ${vcpus} processors to one cell`);
  const amounts = memories.map(Number);
  if (amounts.reduce((sum, amount) => sum + amount, 0) !== memoryMb) throw badFlavor(`hw:numa_mem must add up to ${memoryMb} MiB`);
  return sets.map((set, cell) => ({
    processors: { size: set.size, countOf: (isOne) => [...set].filter(isOne).length },
    memoryMb: amounts[cell] as number,
  }));
}

/** Consecutive processors. Only processors below the limit of masks can be distinguished. */
function rangeOf(start: number, size: number): Part['processors'] {
  const countOf = (isOne: (processor: number) => boolean) => {
    let count = 0;
    for (let each = start; each < Math.min(start + size, limits.maskedProcessors); each++) if (isOne(each)) count++;
    return count;
  };
  return { size, countOf };
}

/** The values of a numbered name, from 0 to the first gap. */
function listOf(properties: Properties, name: string): string[] {
  const found: string[] = [];
  for (let number = 0; number < maxCells; number++) {
    const value = flavorValue(properties, `${name}.${number}`) ?? imageValue(properties, `${name}.${number}`);
    if (value === undefined) break;
    found.push(value);
  }
  return found;
}

const kibOf: Readonly<Record<string, number>> = { '': 1 / 1024, K: 1, M: 1024, G: 1024 ** 2, T: 1024 ** 3 };

/** The image's page size counts if the flavor leaves the choice to it. */
function pageSizeOf(properties: Properties): PageSize | null {
  const name = 'hw:mem_page_size';
  const [flavor, image] = [flavorValue(properties, name), imageValue(properties, name)];
  const word = (flavor === 'any' || flavor === 'large') && image ? image : (flavor ?? '');
  if (word === '') return null;
  if (word === 'small' || word === 'large' || word === 'any') return word;
  if (/^\d+$/.test(word)) return Number(word);
  const [, amount, unit = '', bit] = /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))(?:([KMGT])i?)?(?:B|(b|bit))$/.exec(word) ?? [];
  if (amount === undefined) throw badFlavor(`${name} must be large, small, any or a size such as 2MB, is ${word}`);
  return (Number(amount) * (kibOf[unit] ?? 1)) / (bit ? 8 : 1);
}
