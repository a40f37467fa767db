// The metrics of openstack-exporter about Placement, under its names and with its values, out of memory: it asks for each provider's inventories, usages and
// allocations, 1 + 3 calls for each. Who holds what is not in the forest: it is read once, and again for the providers that have been written since.
import { selectHoldersByProviders } from '../db/allocations.ts';
import type { Db } from '../db/sql/client.ts';
import type { Forest, ProviderState } from '../domain/candidates/forest.ts';
import { workInTurn } from '../operations/request/event-loop-share.ts';
import { head, quoted } from './text.ts';

/** Providers between two pauses. */
const providersAtOnce = 100;
/** Providers whose allocations are read by one statement. */
const providersRead = 500;

const names = ['resource_total', 'resource_reserved', 'resource_allocation_ratio', 'resource_generation', 'resource_usage'] as const;

/** The metric with a line for each allocation; openstack-exporter can leave it out as well. */
export const metricOfHolders = 'resource_provider_allocations';

/** The present states of all providers: they are never changed in place. */
export function statesOf(forest: Forest): ProviderState[] {
  const states: ProviderState[] = [];
  for (const { state } of forest.everyProvider()) states.push(state);
  return states;
}

/** The text in pieces. Pauses now and then. */
export function* renderOpenstack(states: readonly ProviderState[]): Generator<void, readonly Buffer[]> {
  const pieces = names.map((name) => [Buffer.from(headOf(name))]);
  for (let from = 0; from < states.length; from += providersAtOnce) {
    yield;
    const texts = renderSome(states.slice(from, from + providersAtOnce));
    for (const [place, text] of texts.entries()) pieces[place]?.push(Buffer.from(text));
  }
  return [Buffer.from(`${headOf('up')}openstack_placement_up 1\n`), ...pieces.flat()];
}

const headOf = (name: string) => head(`openstack_placement_${name}`, name, 'gauge');

/** The lines of some providers, by metric. */
function renderSome(states: readonly ProviderState[]): readonly string[] {
  let [total, reserved, ratio, generation, usage] = ['', '', '', '', ''];
  for (const { provider, inventories } of states) {
    const hostname = quoted(provider.name);
    for (const inventory of inventories) {
      const labels = `{hostname="${hostname}",resourcetype="${inventory.className}"}`;
      total += `openstack_placement_resource_total${labels} ${inventory.total}\n`;
      reserved += `openstack_placement_resource_reserved${labels} ${inventory.reserved}\n`;
      // There the ratio passes through a float of 32 bits.
      ratio += `openstack_placement_resource_allocation_ratio${labels} ${Math.fround(inventory.allocationRatio)}\n`;
      generation += `openstack_placement_resource_generation${labels} ${provider.generation}\n`;
      usage += `openstack_placement_resource_usage${labels} ${inventory.used}\n`;
    }
  }
  return [total, reserved, ratio, generation, usage];
}

/** The lines of all allocations, kept by provider as long as its state: each write of its allocations gives it another one. */
export class HolderLines {
  #known = new Map<number, { readonly state: ProviderState; readonly lines: Buffer }>();

  /** The text in pieces. To be called once at a time. */
  async render(db: Db, states: readonly ProviderState[]): Promise<readonly Buffer[]> {
    const known = this.#known;
    this.#known = new Map();
    const unread: ProviderState[] = [];
    for (const state of states) {
      const { id } = state.provider;
      const one = known.get(id);
      if (one?.state === state) this.#known.set(id, one);
      else if (state.inventories.length > 0) unread.push(state);
    }
    for (let from = 0; from < unread.length; from += providersRead) {
      const some = new Map(unread.slice(from, from + providersRead).map((state) => [state.provider.id, state]));
      const holders = await selectHoldersByProviders(db, [...some.keys()]);
      await workInTurn(this.#keep(some, holders));
    }
    return [Buffer.from(headOf(metricOfHolders)), ...(await workInTurn(this.#join()))];
  }

  *#keep(states: ReadonlyMap<number, ProviderState>, holders: Awaited<ReturnType<typeof selectHoldersByProviders>>): Generator<void, void> {
    const linesById = new Map<number, Buffer>();
    for (const { id, held } of holders) {
      yield;
      const hostname = quoted(states.get(id)?.provider.name ?? '');
      let lines = '';
      for (const [uuid, resourcetype, amount] of held) {
        lines += `openstack_placement_${metricOfHolders}{hostname="${hostname}",uuid="${uuid}",resourcetype="${resourcetype}"} ${amount}\n`;
      }
      linesById.set(id, Buffer.from(lines));
    }
    for (const [id, state] of states) this.#known.set(id, { state, lines: linesById.get(id) ?? none });
  }

  *#join(): Generator<void, Buffer[]> {
    const all = [...this.#known.values()];
    const pieces: Buffer[] = [];
    for (let from = 0; from < all.length; from += providersAtOnce) {
      yield;
      pieces.push(Buffer.concat(all.slice(from, from + providersAtOnce).map(({ lines }) => lines)));
    }
    return pieces;
  }
}

const none = Buffer.alloc(0);
