// NUMA cells as hosts report them with their usage: the numa_topology in Nova's ComputeNode object. Knows only their form.

/** Physical networks by name, and null for tunnels. */
export type CellNetworks = readonly (string | null)[];

export function networksOf({ physnets, tunneled }: { readonly physnets?: readonly string[]; readonly tunneled?: boolean }): CellNetworks {
  return [...(physnets ?? []), ...(tunneled ? [null] : [])];
}

/** A cell of a host. Processors by number. */
export interface HostCell {
  readonly id: number;
  readonly shared: ReadonlySet<number>;
  readonly dedicated: ReadonlySet<number>;
  /** The dedicated processors that are taken. */
  readonly pinned: ReadonlySet<number>;
  /** The threads of each core. */
  readonly cores: readonly (readonly number[])[];
  /** The shared processors of guests; with overcommit, more than the cell has. */
  readonly sharedUsed: number;
  readonly memoryMb: number;
  readonly memoryUsedMb: number;
  readonly pages: readonly HostPages[];
  readonly socket: number | null;
  /** The networks near this cell. */
  readonly networks: CellNetworks;
}

/** Pages of one size. */
export interface HostPages {
  readonly sizeKb: number;
  readonly total: number;
  readonly used: number;
  readonly reserved: number;
}

/** The cells in the JSON text of a reported topology; null if there are none or the text is malformed. */
export function readHostCells(json: string): readonly HostCell[] | null {
  try {
    const cells = listIn(dataOf(JSON.parse(json)).cells).map(readCell);
    return cells.length > 0 ? cells : null;
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function readCell(json: unknown): HostCell {
  const cell = dataOf(json);
  // Older hosts do not distinguish the two kinds of processors: guests of either kind take from the same set.
  const shared = new Set(numbersIn(cell.cpuset));
  return {
    id: numberIn(cell.id),
    shared,
    dedicated: cell.pcpuset === undefined ? shared : new Set(numbersIn(cell.pcpuset)),
    pinned: new Set(numbersIn(cell.pinned_cpus ?? [])),
    cores: listIn(cell.siblings ?? []).map(numbersIn),
    sharedUsed: numberIn(cell.cpu_usage ?? 0),
    memoryMb: numberIn(cell.memory),
    memoryUsedMb: numberIn(cell.memory_usage ?? 0),
    pages: listIn(cell.mempages ?? []).map((each) => {
      const { size_kb, total, used, reserved } = dataOf(each);
      return { sizeKb: numberIn(size_kb), total: numberIn(total), used: numberIn(used ?? 0), reserved: numberIn(reserved ?? 0) };
    }),
    socket: typeof cell.socket === 'number' ? cell.socket : null,
    networks: readNetworks(cell.network_metadata ?? {}),
  };
}

function readNetworks(json: unknown): CellNetworks {
  const { physnets, tunneled } = dataOf(json);
  return networksOf({ physnets: listIn(physnets ?? []).map(String), tunneled: tunneled === true });
}

/** The fields of a versioned object, or of a plain one. */
function dataOf(json: unknown): Fields {
  if (typeof json !== 'object' || json === null) throw new TypeError('no object');
  const fields = json as Fields;
  const { 'nova_object.data': data } = fields;
  return typeof data === 'object' && data !== null ? (data as Fields) : fields;
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('no list');
  return value;
}

function numberIn(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('no number');
  return value;
}

const numbersIn = (value: unknown): readonly number[] =>
  listIn(value)
    .map(numberIn)
    .toSorted((a, b) => a - b);
