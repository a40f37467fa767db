// Networks that cells of a host are near, such as by a card, and those that a guest is connected to. Pure.

/** Physical networks by name, and null for tunnels. */
export type CellNetworks = readonly (string | null)[];

interface NearCell {
  readonly networks: CellNetworks;
}

export function networksOf({ physnets, tunneled }: { readonly physnets?: readonly string[]; readonly tunneled?: boolean }): CellNetworks {
  return [...(physnets ?? []), ...(tunneled ? [null] : [])];
}

/** Whether cells of a host are near all networks that any of its cells is near; elsewhere it makes no difference. */
export function areNear(host: readonly NearCell[], chosen: readonly NearCell[], networks: CellNetworks): boolean {
  const near = (cells: readonly NearCell[], network: string | null) => cells.some((cell) => cell.networks.includes(network));
  return networks.every((network) => near(chosen, network) || !near(host, network));
}
