// The metrics of openstack-exporter about Placement, under its names and with its values, but from memory: the exporter makes one call, and three more for the
// inventories, usages and allocations of each provider. Allocations are not in the forest: they are read once, and again for providers written since.
import { selectHoldersByProviders } from '../db/allocations.ts';
import type { Db } from '../db/sql/client.ts';
import type { Forest, ProviderState } from '../domain/candidates/forest.ts';
import { workInTurn } from '../operations/request/event-loop-share.ts';
import { head, quoted } from './text.ts';

/** The number of providers whose allocations one statement reads. */
const providersRead = 500;
/** The lines of this many ids of providers are kept and sent together: fewer cost more to send, and more have to be rendered again when one changes. */
const idsInPiece = 64;

const names = ['resource_total', 'resource_reserved', 'resource_allocation_ratio', 'resource_generation', 'resource_usage'] as const;

/** The metric with a line for each allocation; openstack-exporter can leave it out, too. */
export const metricOfHolders = 'resource_provider_allocations';

/** The current states of all providers, which are never changed in place. */
export function statesOf(forest: Forest): ProviderState[] {
  const states: ProviderState[] = [];
  for (const { state } of forest.everyProvider()) states.push(state);
  return states;
}

/** The states by piece. */
function membersOf(states: readonly ProviderState[]): Map<number, ProviderState[]> {
  const groups = new Map<number, ProviderState[]>();
  for (const state of states) {
    const key = Math.floor(state.provider.id / idsInPiece);
    const group = groups.get(key);
    if (group) group.push(state);
    else groups.set(key, [state]);
  }
  return groups;
}

interface Kept {
  readonly states: readonly ProviderState[];
}

/** The known piece if it was made from these states, else null. */
function keptOf<Piece extends Kept>(known: ReadonlyMap<number, Piece>, key: number, states: readonly ProviderState[]): Piece | null {
  const piece = known.get(key);
  return piece?.states.length === states.length && piece.states.every((state, place) => state === states[place]) ? piece : null;
}

/** Joins parts to one text, and returns them again as slices of it, so that nothing is kept twice. */
function join(parts: readonly Buffer[]): { readonly text: Buffer; readonly parts: readonly Buffer[] } {
  const text = Buffer.concat(parts);
  let end = 0;
  return {
    text,
    parts: parts.map(({ length }) => {
      end += length;
      return text.subarray(end - length, end);
    }),
  };
}

interface InventoryPiece extends Kept {
  /** By metric. */
  readonly texts: readonly Buffer[];
}

/** The lines of all inventories, kept as long as their providers have the same states. */
export class InventoryLines {
  #known: ReadonlyMap<number, InventoryPiece> = new Map();

  /** Renders the text in pieces. Yields now and then. */
  *render(states: readonly ProviderState[]): Generator<void, readonly Buffer[]> {
    const pieces = new Map<number, InventoryPiece>();
    for (const [key, members] of membersOf(states)) {
      const known = keptOf(this.#known, key, members);
      if (known === null) yield;
      pieces.set(key, known ?? { states: members, texts: renderSome(members) });
    }
    this.#known = pieces;
    const all = [...pieces.values()];
    return [
      Buffer.from(`${headOf('up')}openstack_placement_up 1\n`),
      ...names.flatMap((name, metric) => [Buffer.from(headOf(name)), ...all.map(({ texts }) => texts[metric] ?? none)]),
    ];
  }
}

const headOf = (name: string) => head(`openstack_placement_${name}`, name, 'gauge');

/** The lines of some providers, by metric. */
function renderSome(states: readonly ProviderState[]): readonly Buffer[] {
  let [total, reserved, ratio, generation, usage] = ['', '', '', '', ''];
  for (const { provider, inventories } of states) {
    const hostname = quoted(provider.name);
    for (const inventory of inventories) {
      const labels = `{hostname="${hostname}",resourcetype="${inventory.className}"}`;
      total += `openstack_placement_resource_total${labels} ${inventory.total}\n`;
      reserved += `openstack_placement_resource_reserved${labels} ${inventory.reserved}\n`;
      // In openstack-exporter, the ratio passes through a 32-bit float.
      ratio += `openstack_placement_resource_allocation_ratio${labels} ${Math.fround(inventory.allocationRatio)}\n`;
      generation += `openstack_placement_resource_generation${labels} ${provider.generation}\n`;
      usage += `openstack_placement_resource_usage${labels} ${inventory.used}\n`;
    }
  }
  return [total, reserved, ratio, generation, usage].map((text) => Buffer.from(text));
}

interface HolderPiece extends Kept {
  readonly text: Buffer;
  /** The slice of each state. */
  readonly parts: readonly Buffer[];
}

/** The lines of all allocations, kept by provider as long as its state stays: each write of its allocations gives it a new one. */
export class HolderLines {
  #known: ReadonlyMap<number, HolderPiece> = new Map();

  /** Renders the text in pieces. Must not run concurrently. */
  async render(db: Db, states: readonly ProviderState[]): Promise<readonly Buffer[]> {
    const pieces = new Map<number, HolderPiece | readonly ProviderState[]>();
    const parts = new Map<ProviderState, Buffer>();
    const unread: ProviderState[] = [];
    for (const [key, members] of membersOf(states)) {
      const kept = keptOf(this.#known, key, members);
      pieces.set(key, kept ?? members);
      if (kept) continue;
      const before = this.#known.get(key);
      for (const [place, state] of before?.states.entries() ?? []) parts.set(state, before?.parts[place] ?? none);
      unread.push(...members.filter((state) => state.inventories.length > 0 && !parts.has(state)));
    }
    for (let from = 0; from < unread.length; from += providersRead) {
      const some = new Map(unread.slice(from, from + providersRead).map((state) => [state.provider.id, state]));
      const holders = await selectHoldersByProviders(db, [...some.keys()]);
      await workInTurn(renderHolders(some, holders, parts));
    }
    this.#known = await workInTurn(joinPieces(pieces, parts));
    return [Buffer.from(headOf(metricOfHolders)), ...[...this.#known.values()].map(({ text }) => text)];
  }
}

/** Joins the pieces; those to be made anew are given as their states. */
function* joinPieces(
  pieces: ReadonlyMap<number, HolderPiece | readonly ProviderState[]>,
  parts: ReadonlyMap<ProviderState, Buffer>,
): Generator<void, Map<number, HolderPiece>> {
  const joined = new Map<number, HolderPiece>();
  for (const [key, piece] of pieces) {
    if ('text' in piece) joined.set(key, piece);
    else {
      yield;
      joined.set(key, { states: piece, ...join(piece.map((state) => parts.get(state) ?? none)) });
    }
  }
  return joined;
}

function* renderHolders(
  states: ReadonlyMap<number, ProviderState>,
  holders: Awaited<ReturnType<typeof selectHoldersByProviders>>,
  parts: Map<ProviderState, Buffer>,
): Generator<void, void> {
  for (const { id, held } of holders) {
    yield;
    const state = states.get(id);
    if (!state) continue;
    const hostname = quoted(state.provider.name);
    let lines = '';
    for (const [uuid, resourcetype, amount] of held) {
      lines += `openstack_placement_${metricOfHolders}{hostname="${hostname}",uuid="${uuid}",resourcetype="${resourcetype}"} ${amount}\n`;
    }
    parts.set(state, Buffer.from(lines));
  }
}

const none = Buffer.alloc(0);
