// The names of classes and traits that operators write in their own spelling: of PCI devices in nova.conf, of labels in a flavor. A valid name stays; any other
// text becomes a custom name.
import type { Optional } from '../../domain/input.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { standardTraits } from '../../domain/standard-traits.ts';

const knownClasses: ReadonlySet<string> = new Set(standardResourceClasses.map(({ name }) => name));
const knownTraits: ReadonlySet<string> = new Set(standardTraits);

/** The class of PCI devices: the given name, or one made of their vendor and product. */
export function pciClassName(named: Optional<string>, vendorId: Optional<string>, productId: Optional<string>): string {
  return customUnless(knownClasses, named || `PCI_${vendorId}_${productId}`);
}

/** The traits in a list separated by commas. */
export function pciTraitNames(list: Optional<string>): string[] {
  const names = (list ?? '').split(',').flatMap((name) => name.trim() || []);
  return names.map((name) => customUnless(knownTraits, name));
}

/** The address of a card in lower case, which ends the name of its provider. */
export function cardAddressIn(providerName: string): string {
  return providerName.slice(providerName.lastIndexOf('_') + 1).toLowerCase();
}

/** CUSTOM_ and the text in capitals, with _ for each run of characters other than letters and digits. */
export function customName(text: string): string {
  return `CUSTOM_${text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

function customUnless(known: ReadonlySet<string>, name: string): string {
  const upper = name.toUpperCase();
  return known.has(upper) || /^CUSTOM_[A-Z0-9_]+$/.test(upper) ? upper : customName(name);
}
