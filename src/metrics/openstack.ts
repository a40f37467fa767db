// The metrics of openstack-exporter about Placement, under its names and with its values, out of memory: it asks for each provider's inventories and usages, 1 + 3
// calls for each. Not those of each consumer (`resource_provider_allocations`), which it can leave out as well.
import type { Forest, ProviderState } from '../domain/candidates/forest.ts';
import { head, quoted } from './text.ts';

/** Providers between two pauses. */
const providersAtOnce = 100;

const names = ['resource_total', 'resource_reserved', 'resource_allocation_ratio', 'resource_generation', 'resource_usage'] as const;

/** The present states of all providers: they are never changed in place. */
export function statesOf(forest: Forest): ProviderState[] {
  const states: ProviderState[] = [];
  for (const { state } of forest.everyProvider()) states.push(state);
  return states;
}

/** The text in pieces. Pauses now and then. */
export function* renderOpenstack(states: readonly ProviderState[]): Generator<void, readonly Buffer[]> {
  const pieces = names.map((name) => [Buffer.from(head(`openstack_placement_${name}`, name, 'gauge'))]);
  for (let from = 0; from < states.length; from += providersAtOnce) {
    yield;
    const texts = renderSome(states.slice(from, from + providersAtOnce));
    for (const [place, text] of texts.entries()) pieces[place]?.push(Buffer.from(text));
  }
  const up = `${head('openstack_placement_up', 'up', 'gauge')}openstack_placement_up 1\n`;
  return [Buffer.from(up), ...pieces.flat()];
}

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
