// Flavors: the sizes of instances and their extra specs, as callers give them. flavor-request.ts translates them to requests.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { decodeText, type NovaObject } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { type Property, readProperties } from '../terms/properties.ts';

/** The sizes of a flavor. */
export interface FlavorNumbers {
  readonly vcpus: number;
  /** MiB. */
  readonly memoryMb: number;
  /** GiB. */
  readonly rootGb: number;
  /** GiB. */
  readonly ephemeralGb: number;
  /** MiB. */
  readonly swapMb: number;
}

export interface Flavor extends FlavorNumbers {
  readonly name: string | null;
  /** Such as `resources:VGPU` or `hw:cpu_policy`. */
  readonly extraSpecs: Readonly<Record<string, string>>;
}

/** A flavor as given by a caller. */
export type FlavorInput = Given<FlavorFields>;

export interface FlavorFields {
  readonly name?: Optional<string>;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly rootGb?: Optional<number>;
  readonly ephemeralGb?: Optional<number>;
  readonly swapMb?: Optional<number>;
  readonly extraSpecs?: Optional<readonly ExtraSpec[]>;
}

/** An extra spec as given by a caller. */
export type ExtraSpec = Property;

/**
 * Parses a flavor. Root disk, ephemeral disk and swap default to 0. Refuses INVALID_INPUT below `path` for numbers out of range, a malformed object,
 * or a duplicate extra spec.
 */
export function parseFlavor({ object, fields }: FlavorInput, path: Path): Flavor {
  if (object !== undefined) return flavorFromObject(decodeText('Flavor', object, [...path, 'object']), [...path, 'object']);
  const { extraSpecs, ...numbers } = fields;
  const specs = readProperties(extraSpecs ?? [], [...path, 'fields', 'extraSpecs']);
  return checkNumbers({ ...numbers, name: numbers.name ?? null, extraSpecs: specs }, (field) => [...path, 'fields', field]);
}

/** A flavor from its versioned object; refuses INVALID_INPUT below `path` like parseFlavor. */
export function flavorFromObject({ fields }: NovaObject<'Flavor'>, path: Path = []): Flavor {
  const { vcpus, memory_mb: memoryMb, root_gb: rootGb, ephemeral_gb: ephemeralGb, swap: swapMb } = fields;
  const numbers = { vcpus, memoryMb, rootGb, ephemeralGb, swapMb, name: fields.name ?? null, extraSpecs: fields.extra_specs ?? {} };
  const wireNames: Record<string, string> = { memoryMb: 'memory_mb', rootGb: 'root_gb', ephemeralGb: 'ephemeral_gb', swapMb: 'swap' };
  return checkNumbers(numbers, (field) => [...path, 'nova_object.data', wireNames[field] ?? field]);
}

type Unchecked = Omit<Flavor, keyof FlavorNumbers> & { readonly [Field in keyof FlavorNumbers]?: Optional<number> };

function checkNumbers({ vcpus, memoryMb, rootGb, ephemeralGb, swapMb, name, extraSpecs }: Unchecked, at: (field: string) => Path): Flavor {
  const numbers = { vcpus, memoryMb, rootGb: rootGb ?? 0, ephemeralGb: ephemeralGb ?? 0, swapMb: swapMb ?? 0 };
  const check = new InputCheck();
  check.text(at('name'), name, maxNameLength);
  check.done();
  for (const [field, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > maxAmount) {
      throw invalidInput(at(field), `must be a whole number from 0 to ${maxAmount}`);
    }
  }
  return { ...numbers, vcpus: vcpus ?? 0, memoryMb: memoryMb ?? 0, name, extraSpecs };
}

/** The disk space of a flavor in GiB: root (0 if booted from a volume), ephemeral, and swap rounded up to whole GiB. */
export function diskGbOf({ rootGb, ephemeralGb, swapMb }: FlavorNumbers, bootedFromVolume: Optional<boolean>): number {
  return (bootedFromVolume ? 0 : rootGb) + ephemeralGb + Math.ceil(swapMb / 1024);
}
