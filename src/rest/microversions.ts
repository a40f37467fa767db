// Microversions of the Placement REST API: the features that each introduced, by name, and negotiation. Versions are considered where requests are
// parsed and responses rendered, nowhere else.
import { RestError } from './rest-error.ts';

/** The minor part of a microversion: 39 is 1.39. */
export type Microversion = number;

/** The version that introduced each feature. */
export const features = {
  start: 0,
  aggregates: 1,
  resourceClasses: 2,
  providersByAggregate: 3,
  providersByResources: 4,
  deleteAllInventories: 5,
  traits: 6,
  /** PUT of a class creates it if absent; below this version it renames one. */
  idempotentResourceClasses: 7,
  allocationOwner: 8,
  projectUsages: 9,
  candidates: 10,
  allocationsLink: 11,
  /** Allocations are an object by provider; below this version they are a list. */
  allocationsByProvider: 12,
  severalConsumers: 13,
  trees: 14,
  cacheHeaders: 15,
  candidateLimit: 16,
  candidateTraits: 17,
  providersByTrait: 18,
  aggregateGenerations: 19,
  createdProviderBody: 20,
  candidateAggregates: 21,
  forbiddenTraits: 22,
  errorCodes: 23,
  repeatedMemberOf: 24,
  granularGroups: 25,
  fullyReserved: 26,
  /** Summaries of candidates include all classes, not only the requested ones. */
  wholeSummaries: 27,
  consumerGenerations: 28,
  nestedCandidates: 29,
  reshaper: 30,
  candidatesInTree: 31,
  forbiddenAggregates: 32,
  /** Suffixes of groups are words; below this version they are numbers. */
  namedGroups: 33,
  mappings: 34,
  rootRequired: 35,
  sameSubtree: 36,
  reparenting: 37,
  consumerTypes: 38,
  anyTraits: 39,
} as const;

export type Feature = keyof typeof features;

export const oldestVersion = '1.0';
const newest: Microversion = Math.max(...Object.values(features));
export const newestVersion = `1.${newest}`;

/** Whether a version has a feature. */
export function has(version: Microversion, feature: Feature): boolean {
  return version >= features[feature];
}

/** Variants by version, in ascending order of the feature that introduced each. */
export type Versioned<Thing> = readonly (readonly [since: Feature, thing: Thing])[];

/** The newest variant that a version has; undefined if there is none. */
export function atVersion<Thing>(things: Versioned<Thing>, version: Microversion): Thing | undefined {
  return things.findLast(([since]) => has(version, since))?.[1];
}

const versionForm = /^\s*\+?(\d{1,9})\s*\.\s*\+?(\d{1,9})\s*$/;

/**
 * The version in the header `openstack-api-version`: the last value for placement counts, values for other services are ignored; 1.0 if there is none.
 * Throws a RestError: 400 for a malformed version, 406 for an unsupported one.
 */
export function negotiateVersion(header: string | readonly string[] | undefined): Microversion {
  const asked = askedVersion(typeof header === 'object' ? header.join(',') : (header ?? ''));
  if (asked === 'latest') return newest;
  const match = versionForm.exec(asked);
  if (!match) throw new RestError(400, `Invalid microversion: invalid version string: ${asked}`);
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (major !== 1 || minor > newest) {
    throw new RestError(406, `Invalid microversion: Unacceptable version header: ${asked}`, { isAboutVersion: true });
  }
  return minor;
}

function askedVersion(header: string): string {
  for (const value of header.split(',').reverse()) {
    const [service, version] = splitOnce(value.trim());
    if (service.toLowerCase() === 'placement' && version !== '') return version;
  }
  return oldestVersion;
}

function splitOnce(value: string): [string, string] {
  const space = value.search(/\s/);
  return space === -1 ? [value, ''] : [value.slice(0, space), value.slice(space).trim()];
}
