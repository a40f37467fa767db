// The input of selectDestinations for tests that give what a flavor's request depends on beside the instances.

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

/** The same input with the flavor and what belongs to it as its request. */
export function byFlavor(input: object): object {
  const entries = Object.entries(input);
  const isOfFlavor = ([field]: [string, unknown]) => ofFlavor.includes(field);
  const flavor = Object.fromEntries(entries.filter(isOfFlavor));
  return { ...Object.fromEntries(entries.filter((entry) => !isOfFlavor(entry))), request: { flavor } };
}
