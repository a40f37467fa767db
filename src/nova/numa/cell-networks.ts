// The networks that are near the cells of a host, for example because of a card, and those to which a guest is connected. Pure.

/** Physical networks by name, and null for tunnels. */
export type CellNetworks = readonly (string | null)[];

interface NearCell {
  readonly networks: CellNetworks;
}

export function networksOf({ physnets, tunneled }: { readonly physnets?: readonly string[]; readonly tunneled?: boolean }): CellNetworks {
  return [...(physnets ?? []), ...(tunneled ? [null] : [])];
}

/** Whether the chosen cells are near all these networks. A network that is near no cell of the host does not matter. */
export function areNear(host: readonly NearCell[], chosen: readonly NearCell[], networks: CellNetworks): boolean {
  const near = (cells: readonly NearCell[], network: string | null) => cells.some((cell) => cell.networks.includes(network));
  return networks.every((network) => near(chosen, network) || !near(host, network));
}
