// The sizes of instances in the small cloud; some need devices.
import type { FlavorFields } from '../../src/nova/flavors/flavors.ts';

export const sizes = {
  tiny: { vcpus: 1, memoryMb: 512, rootGb: 5, swapMb: 1 },
  small: { vcpus: 2, memoryMb: 2048, rootGb: 10 },
  large: { vcpus: 4, memoryMb: 8192, rootGb: 20, ephemeralGb: 20 },
  nic: { vcpus: 1, memoryMb: 1024, rootGb: 5, extraSpecs: [{ key: 'pci_passthrough:alias', value: 'nic:1' }] },
  gpu: { vcpus: 2, memoryMb: 4096, rootGb: 10, extraSpecs: [{ key: 'resources:VGPU', value: '1' }] },
} as const satisfies Record<string, FlavorFields>;

export type SizeName = keyof typeof sizes;

/** The PCI aliases that the flavors name. */
export const pci = { inPlacement: true, aliases: [{ name: 'nic', vendorId: '8086', productId: '1563' }] } as const;
