// The input of selectDestinations for tests that put the fields of a flavor's request next to the instances.

const ofFlavor = [
  'flavor',
  'imageTraits',
  'imageProperties',
  'imageDiskFormat',
  'bootedFromVolume',
  'ports',
  'deviceProfile',
  'pci',
  'prefilters',
];

/** The same input with the flavor and its related fields as its request. */
export function byFlavor(input: object): object {
  const entries = Object.entries(input);
  const isOfFlavor = ([field]: [string, unknown]) => ofFlavor.includes(field);
  const flavor = Object.fromEntries(entries.filter(isOfFlavor));
  return { ...Object.fromEntries(entries.filter((entry) => !isOfFlavor(entry))), requestFrom: { flavorToRequest: flavor } };
}
