// Whether guests fit in the NUMA cells of hosts, according to Nova's own tests.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { guestTopologyOf } from '../../../src/nova/flavors/guest-cells.ts';
import { checkGuestSettings } from '../../../src/nova/flavors/guest-settings.ts';
import { fitCell, takeCell } from '../../../src/nova/numa/cell-fit.ts';
import { areNear } from '../../../src/nova/numa/cell-networks.ts';
import type { CpuPolicy, GuestCell, GuestTopology, PageSize, ThreadPolicy } from '../../../src/nova/numa/numa-cells.ts';
import { waysToFit } from '../../../src/nova/numa/topology-fit.ts';
import type { CellNetworks, HostCell } from '../../../src/nova/objects/host-cells.ts';
import { cellFits, guests, networkFits, pageSizes, topologyFits, usages } from './nova-numa.ts';

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line, index) => [`${index} ${line.split(' ~ ')[0]}`, line.split(/ ?~ ?/).slice(1)] as const);
const listOf = (text: string, separator: string) => (text ? text.split(separator).map((part) => part.trim()) : []);
const numbersIn = (text = '') =>
  listOf(text, ',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
const valuesIn = (words: readonly string[]) => Object.fromEntries(words.flatMap((word) => (word.includes('=') ? [word.split('=')] : [])));

const networksIn = (text = ''): CellNetworks => listOf(text, '+').map((name) => (name === 'TUNNEL' ? null : name));

function hostCell(text: string): HostCell {
  const [id = '', sets = '', ...rest] = text.split(' ');
  const [shared, dedicated] = sets.split('/');
  const { mem = '', used = '0', pinned, cores = '', pages = '', near } = valuesIn(rest);
  const [memoryMb = 0, memoryUsedMb = 0] = mem.split('-').map(Number);
  return {
    ...{ id: Number(id.slice(0, -1)), shared: new Set(numbersIn(shared)), dedicated: new Set(numbersIn(dedicated)) },
    ...{ pinned: new Set(numbersIn(pinned)), sharedUsed: Number(used), memoryMb, memoryUsedMb, socket: null },
    networks: networksIn(near),
    cores: listOf(cores, '|').map(numbersIn),
    pages: listOf(pages, '|').map((each) => {
      const [sizeKb = 0, total = 0, taken = 0, reserved = 0] = each.split('.').map(Number);
      return { sizeKb, total, used: taken, reserved };
    }),
  };
}

function guestCell(text: string): GuestCell {
  const [sets = '', ...rest] = text.split(' ');
  const [shared = [], dedicated = []] = sets.split('/').map(numbersIn);
  const { mem, page, threads } = valuesIn(rest);
  return {
    ...{ shared: shared.length, dedicated: dedicated.length, memoryMb: Number(mem), pageSize: page ? pageOf(page) : null },
    policy: (['dedicated', 'shared', 'mixed'] as const).find((word): word is CpuPolicy => rest.includes(word)) ?? null,
    threads: (threads as ThreadPolicy | undefined) ?? null,
  };
}

const pageOf = (text: string) => (/^\d/.test(text) ? Number(text) : text) as PageSize;
const ratiosOf = (text = '') => {
  const [cpu = 1, ram = 1] = text.split('/').map(Number);
  return text ? { cpu, ram } : null;
};
const topologyOf = (text: string, emulator = '', networks = ''): GuestTopology => ({
  cells: listOf(text, ';').map(guestCell),
  isolatesEmulator: emulator === 'isolate',
  networks: networksIn(networks),
});

test.each(rowsOf(guests))(
  'a flavor and its image define cells: %s',
  (_, [sizes = '', specs = '', image = '', emulator = '', expected = '']) => {
    const [vcpus = 0, memoryMb = 0] = sizes.split('/').map(Number);
    const properties = { flavor: valuesIn(specs.split(' ')), image: valuesIn(image.split(' ')), isImageKnown: true };
    const read = () => {
      checkGuestSettings(vcpus, properties);
      return guestTopologyOf({ vcpus, memoryMb }, properties);
    };
    if (expected === 'refused') return expect(read).toThrow(Refusal);
    const counted = listOf(expected, ';').map((text): GuestCell => {
      const [counts = ''] = text.split(' ');
      const [shared = 0, dedicated = 0] = counts.split('/').map(Number);
      return { ...guestCell(text), shared, dedicated };
    });
    return expect(read()).toEqual(counted.length > 0 ? { cells: counted, isolatesEmulator: emulator === 'isolate', networks: [] } : null);
  },
);

describe('a cell of a guest fits in one of a host', () => {
  test.each(rowsOf(cellFits))('%s', (_, [host = '', guest = '', ratios, emulators, expected = '']) => {
    const fit = fitCell(hostCell(host), guestCell(guest), ratiosOf(ratios), Number(emulators));
    expect(fit === null ? '' : 'fits').toBe(expected);
    const { dedicated, pinned } = hostCell(host);
    expect(fit?.pinned.filter((each) => !dedicated.has(each) || pinned.has(each)) ?? []).toEqual([]);
  });

  test('beside the pages that it has reserved', () => {
    const [roomy, short] = ['2048.512.0.0', '2048.512.0.1'].map((pages) => hostCell(`0: 0/ mem=1024 cores=0 pages=${pages}`));
    const guest = { ...guestCell('0/ mem=1024 page=2048'), shared: 0 };
    expect([roomy, short].map((host) => host && fitCell(host, guest, null, 0)?.pageKb)).toEqual([2048, undefined]);
  });

  test.each(rowsOf(pageSizes))('with pages of its size: %s', (_, [host = '', guest = '', expected = '']) => {
    const fit = fitCell(hostCell(host), { ...guestCell(guest), shared: 0 }, null, 0);
    expect(String(fit?.pageKb ?? '')).toBe(expected);
  });
});

test.each(rowsOf(topologyFits))(
  'a guest fits in cells of a host: %s',
  (_, [host = '', guest = '', ratios, emulator, expected = '', networks]) => {
    const [way] = waysToFit(listOf(host, ';').map(hostCell), topologyOf(guest, emulator, networks), ratiosOf(ratios));
    const chosen = way?.map(({ cell }) => cell.id).join() ?? '';
    expect(expected === 'any' && way ? 'any' : chosen).toBe(expected);
  },
);

test.each(rowsOf(networkFits))('cells are near networks: %s', (_, [host = '', chosen = '', networks, expected = '']) => {
  const cells = listOf(host, ';').map(hostCell);
  const some = cells.filter(({ id }) => numbersIn(chosen).includes(id));
  expect(areNear(cells, some, networksIn(networks)) ? 'near' : '').toBe(expected);
});

test.each(rowsOf(usages))('a guest takes from cells of a host: %s', (_, [host = '', guest = '', pins = '', after = '']) => {
  let cells = listOf(host, ';').map(hostCell);
  for (const [index, pin] of pins.split(' ').entries()) {
    const [id, processors] = pin.split('=');
    const taking = guestCell(listOf(guest, ';')[index] ?? '');
    cells = cells.map((cell) => {
      if (String(cell.id) !== id) return cell;
      const pageKb = typeof taking.pageSize === 'number' ? taking.pageSize : Math.min(...cell.pages.map(({ sizeKb }) => sizeKb));
      return takeCell(cell, taking, { pinned: numbersIn(processors), pageKb });
    });
  }
  expect(cells).toEqual(listOf(after, ';').map(hostCell));
});
