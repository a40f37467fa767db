// What this project makes of a flavor and of its extra specs, in the words in which Nova's answers are kept.
import { warnOfExtraSpecs } from '../../../src/nova/flavors/extra-specs.ts';
import { flavorToRequest, type RequestFacts } from '../../../src/nova/flavors/flavor-request.ts';
import type { Flavor } from '../../../src/nova/flavors/flavors.ts';
import { RequestDraft } from '../../../src/nova/flavors/request-draft.ts';
import type { GuestTopology } from '../../../src/nova/numa/numa-cells.ts';
import type { CandidatesInput, Clause } from '../../../src/operations/candidates/requests.ts';

export interface GivenFlavor {
  readonly flavor: Flavor;
  readonly facts: RequestFacts & Required<Pick<RequestFacts, 'imageProperties'>>;
}

export interface FlavorAnswer {
  /** The query of GET /allocation_candidates. */
  readonly request: string;
  /** The query for hosts that do not report PCPU. */
  readonly fallback?: string;
  readonly guest?: Pick<GuestTopology, 'cells' | 'isolatesEmulator'>;
  readonly devices?: readonly object[];
}

export function answerToFlavor({ flavor, facts }: GivenFlavor): FlavorAnswer {
  const { request, fallback, guest, devices } = flavorToRequest(flavor, facts);
  return {
    request: queryOf(request),
    ...(fallback && { fallback: queryOf(fallback) }),
    ...(guest && { guest: { cells: guest.cells, isolatesEmulator: guest.isolatesEmulator } }),
    ...(devices.length > 0 ? { devices } : {}),
  };
}

/** The parameters in Nova's order: by name, then by value. */
function queryOf({ groups, groupPolicy, rootTraits, sameSubtree }: CandidatesInput): string {
  const parameters: [name: string, value: string][] = [
    ...(groupPolicy ? ([['group_policy', groupPolicy.toLowerCase()]] as const) : []),
    ...traitsOf('root_required', rootTraits ?? []),
    ...(sameSubtree ?? []).map(({ suffixes }) => ['same_subtree', suffixes.toSorted().join()] as const),
    ...groups.flatMap(({ suffix, resources, traits, aggregates }) => [
      [
        `resources${suffix ?? ''}`,
        (resources ?? [])
          .map(({ resourceClass, amount }) => `${resourceClass}:${amount}`)
          .sort()
          .join(),
      ] as const,
      ...traitsOf(`required${suffix ?? ''}`, traits ?? []),
      ...(aggregates ?? []).map(({ anyOf, noneOf }) => {
        return [`member_of${suffix ?? ''}`, `${noneOf ? '!' : ''}in:${(noneOf ?? anyOf ?? []).toSorted().join()}`] as const;
      }),
    ]),
  ].map(([name, value]) => [name, value]);
  return parameters
    .toSorted(([a, one], [b, other]) => compareText(a, b) || compareText(one, other))
    .map((parts) => parts.join('='))
    .join('&');
}

function traitsOf(name: string, clauses: readonly Clause[]): (readonly [name: string, value: string])[] {
  const required = clauses.flatMap(({ allOf }) => allOf ?? []);
  const forbidden = clauses.flatMap(({ noneOf }) => noneOf ?? []);
  const words = [...required.toSorted(), ...forbidden.toSorted().map((trait) => `!${trait}`)];
  return words.length > 0 ? [[name, words.join()]] : [];
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export interface GivenExtraSpec {
  readonly key: string;
  readonly value: string;
}

export interface ExtraSpecAnswer {
  readonly valid: boolean;
}

const plain = { name: null, vcpus: 1, memoryMb: 1, rootGb: 0, ephemeralGb: 0, swapMb: 0 };

/** An extra spec is valid if no warning says that it was left out; whether it suits the rest of a flavor is another question. */
export function answerToExtraSpec({ key, value }: GivenExtraSpec): ExtraSpecAnswer {
  const flavor = { [key]: value };
  const draft = new RequestDraft();
  draft.readKey(key, value);
  warnOfExtraSpecs(draft, { flavor, image: {}, isImageKnown: true });
  const warnings = key === 'group_policy' ? flavorToRequest({ ...plain, extraSpecs: flavor }).warnings : draft.warnings;
  return { valid: warnings.every(({ code }) => code !== 'EXTRA_SPEC_UNKNOWN' && code !== 'EXTRA_SPEC_LEFT_OUT') };
}
