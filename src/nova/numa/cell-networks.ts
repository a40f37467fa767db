// Whether the cells of a guest are near its networks, for example because of a card. Pure.
import type { CellNetworks } from '../objects/host-cells.ts';

interface NearCell {
  readonly networks: CellNetworks;
}

/** Whether the chosen cells are near all these networks. A network that is near no cell of the host does not matter. */
export function areNear(host: readonly NearCell[], chosen: readonly NearCell[], networks: CellNetworks): boolean {
  const near = (cells: readonly NearCell[], network: string | null) => cells.some((cell) => cell.networks.includes(network));
  return networks.every((network) => near(chosen, network) || !near(host, network));
}
