// A request for resources on the page "What fits?", translated between the fields of the form, the address and GraphQL's input.
// The address holds every part of a request: `r=VCPU:4&t=A,B|C,-D&in=…&g_gpu.r=VGPU:1&isolate=1&sub=_a+_b`.
import { type Parameter, printParameters } from '../../formats/query-state.ts';

export interface TraitNeeds {
  readonly allOf: readonly string[];
  /** Each clause needs one of its names. */
  readonly anyOf: readonly (readonly string[])[];
  readonly noneOf: readonly string[];
}

export interface GroupNeeds {
  /** Empty for the group that several providers of the tree may serve together. */
  readonly suffix: string;
  readonly resources: readonly { readonly resourceClass: string; readonly amount: number }[];
  readonly traits: TraitNeeds;
  readonly aggregates: TraitNeeds;
  readonly inTree: string | null;
}

export interface FitRequest {
  readonly groups: readonly GroupNeeds[];
  readonly isolate: boolean;
  readonly rootTraits: TraitNeeds;
  readonly sameSubtree: readonly (readonly string[])[];
  /** Whose quotas count; empty for none. */
  readonly project: string;
}

const nothing: TraitNeeds = { allOf: [], anyOf: [], noneOf: [] };
export const emptyGroup = (suffix: string): GroupNeeds => ({ suffix, resources: [], traits: nothing, aggregates: nothing, inTree: null });
export const emptyRequest: FitRequest = { groups: [], isolate: false, rootTraits: nothing, sameSubtree: [], project: '' };

/** "A,B|C,-D" means A, one of B and C, and not D. */
export function parseNeeds(text: string): TraitNeeds {
  const terms = text
    .split(/[\s,]+/)
    .map((term) => term.trim())
    .filter((term) => term !== '' && term !== '-');
  const clauses = terms.filter((term) => !term.startsWith('-')).map((term) => term.split('|').filter((name) => name !== ''));
  return {
    allOf: clauses.flatMap((names) => (names.length === 1 ? names : [])),
    anyOf: clauses.filter((names) => names.length > 1),
    noneOf: terms.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
  };
}

export const printNeeds = ({ allOf, anyOf, noneOf }: TraitNeeds): string =>
  [...allOf, ...anyOf.map((names) => names.join('|')), ...noneOf.map((name) => `-${name}`)].join(',');

function parseResources(text: string): GroupNeeds['resources'] {
  return text.split(',').flatMap((term) => {
    const [, resourceClass, digits] = /^([^:]+):(\d{1,16})$/.exec(term) ?? [];
    const amount = Number(digits);
    return resourceClass !== undefined && Number.isSafeInteger(amount) ? [{ resourceClass, amount }] : [];
  });
}

const printResources = (resources: GroupNeeds['resources']) =>
  resources.map(({ resourceClass, amount }) => `${resourceClass}:${amount}`).join(',');

const hasValue = ([, value]: Parameter) => value !== '';

const ofGroup = /^(?:g([\w-]{1,64})\.)?(r|t|in|tree)$/;

/** Reads the query of an address, and ignores unknown parts. */
export function parseFit(query: string): FitRequest {
  const parameters = new URLSearchParams(query);
  const groups = new Map<string, GroupNeeds>();
  for (const [key, value] of parameters) {
    const [, suffix = '', what] = ofGroup.exec(key) ?? [];
    if (what === undefined) continue;
    const group = groups.get(suffix) ?? emptyGroup(suffix);
    if (what === 'r') groups.set(suffix, { ...group, resources: parseResources(value) });
    if (what === 't') groups.set(suffix, { ...group, traits: parseNeeds(value) });
    if (what === 'in') groups.set(suffix, { ...group, aggregates: parseNeeds(value) });
    if (what === 'tree') groups.set(suffix, { ...group, inTree: value === '' ? null : value });
  }
  return {
    groups: [...groups.values()],
    isolate: parameters.get('isolate') === '1',
    rootTraits: parseNeeds(parameters.get('root') ?? ''),
    sameSubtree: parameters.getAll('sub').map((text) => text.split(/[ +]/).filter((suffix) => suffix !== '')),
    project: parameters.get('project') ?? '',
  };
}

/** The query of the address. */
export function printFit({ groups, isolate, rootTraits, sameSubtree, project }: FitRequest): string {
  const parameters: Parameter[] = groups.flatMap(({ suffix, resources, traits, aggregates, inTree }) => {
    const prefix = suffix === '' ? '' : `g${suffix}.`;
    const conditions: Parameter[] = [
      [`${prefix}t`, printNeeds(traits)],
      [`${prefix}in`, printNeeds(aggregates)],
      [`${prefix}tree`, inTree ?? ''],
    ];
    // The resources are written even if there are none, so that the group exists.
    return [[`${prefix}r`, printResources(resources)] satisfies Parameter, ...conditions.filter(hasValue)];
  });
  const whole: Parameter[] = [
    ['isolate', isolate ? '1' : ''],
    ['root', printNeeds(rootTraits)],
    ...sameSubtree.map((suffixes): Parameter => ['sub', suffixes.join(' ')]),
    ['project', project],
  ];
  return printParameters([...parameters, ...whole.filter(hasValue)]);
}

function conditionsOf({ allOf, anyOf, noneOf }: TraitNeeds) {
  return [
    ...(allOf.length > 0 ? [{ allOf: [...allOf] }] : []),
    ...anyOf.map((names) => ({ anyOf: [...names] })),
    ...(noneOf.length > 0 ? [{ noneOf: [...noneOf] }] : []),
  ];
}

function unlessEmpty<Key extends string, Item>(key: Key, items: readonly Item[]): { [K in Key]?: Item[] } {
  const field: { [K in Key]?: Item[] } = {};
  if (items.length > 0) field[key] = [...items];
  return field;
}

/** The input of `allocationCandidates` and `fit`. */
export function candidatesInput({ groups, isolate, rootTraits, sameSubtree }: FitRequest) {
  return {
    groups: groups.map(({ suffix, resources, traits, aggregates, inTree }) => ({
      ...(suffix === '' ? {} : { suffix }),
      ...unlessEmpty('resources', resources),
      ...unlessEmpty('traits', conditionsOf(traits)),
      ...unlessEmpty('aggregates', conditionsOf(aggregates)),
      ...(inTree === null ? {} : { inTrees: [inTree] }),
    })),
    ...(isolate ? { groupPolicy: 'ISOLATE' as const } : {}),
    ...unlessEmpty('rootTraits', conditionsOf(rootTraits)),
    ...unlessEmpty(
      'sameSubtree',
      sameSubtree.map((suffixes) => ({ suffixes: [...suffixes] })),
    ),
  };
}

interface Condition {
  readonly allOf?: readonly string[] | null;
  readonly anyOf?: readonly string[] | null;
  readonly noneOf?: readonly string[] | null;
}

function needsOf(conditions: readonly Condition[]): TraitNeeds {
  const choices = conditions.flatMap(({ anyOf }) => (anyOf ? [anyOf] : []));
  return {
    allOf: [...conditions.flatMap(({ allOf }) => allOf ?? []), ...choices.flatMap((names) => (names.length === 1 ? names : []))],
    anyOf: choices.filter((names) => names.length > 1),
    noneOf: conditions.flatMap(({ noneOf }) => noneOf ?? []),
  };
}

/** The answer of `flavorToRequest`. */
export interface AnsweredRequest {
  readonly groups: readonly {
    readonly suffix?: string | null;
    readonly resources: GroupNeeds['resources'];
    readonly traits: readonly Condition[];
    readonly aggregates: readonly Condition[];
    readonly inTrees?: readonly string[] | null;
  }[];
  readonly groupPolicy: string;
  readonly rootTraits: readonly Condition[];
  readonly sameSubtree: readonly { readonly suffixes: readonly string[] }[];
}

export function requestFrom({ groups, groupPolicy, rootTraits, sameSubtree }: AnsweredRequest): FitRequest {
  return {
    groups: groups.map(({ suffix, resources, traits, aggregates, inTrees }) => ({
      suffix: suffix ?? '',
      resources: resources.map(({ resourceClass, amount }) => ({ resourceClass, amount })),
      traits: needsOf(traits),
      aggregates: needsOf(aggregates),
      // A flavor asks for no tree, a destination for one.
      inTree: inTrees?.[0] ?? null,
    })),
    isolate: groupPolicy === 'ISOLATE',
    rootTraits: needsOf(rootTraits),
    sameSubtree: sameSubtree.map(({ suffixes }) => suffixes),
    project: '',
  };
}
