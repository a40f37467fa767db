// What an event changed, in words: the subject, then each field with its value before and after.
import { formatCount } from '../../formats/amounts.ts';
import { exactMoment } from '../../formats/moments.ts';
import { spoken } from '../../formats/names.ts';
import type { ChangeShownFragment, RecordShownFragment } from './events.generated.ts';

interface Change<Value> {
  readonly before: Value | null;
  readonly after: Value | null;
}

export interface ChangeWords {
  /** "changed provider az1-rack01-node01". */
  readonly subject: string;
  /** The page of the subject, if it has one. */
  readonly address: string | null;
  readonly lines: readonly string[];
}

const shown = (value: string | number | null) => (value === null ? 'nothing' : typeof value === 'number' ? formatCount(value) : value);
const field = <Value extends string | number>(name: string, change: Change<Value> | null) =>
  change === null || change.before === change.after ? [] : [`${name}: ${shown(change.before)} → ${shown(change.after)}`];
const momentsIn = (change: Change<string> | null): Change<string> | null =>
  change && { before: change.before && exactMoment(change.before), after: change.after && exactMoment(change.after) };
const list = (name: string, items: readonly string[]) => (items.length === 0 ? [] : [`${name}: ${items.join(', ')}`]);

/** A change as a list of events has it: with traits, if it is of a provider and the caller may know them. */
interface TraitsChanged {
  readonly __typename: string;
  readonly traitNamesAdded?: readonly string[];
  readonly traitNamesRemoved?: readonly string[];
}

/** The most traits that a row names. */
const traitsNamed = 3;

interface ChangesOfTraits {
  readonly changes: { readonly totalCount: number; readonly nodes: readonly TraitsChanged[] };
}

/**
 * "added COMPUTE_STATUS_DISABLED, removed A, B, C and 2 more": each trait once, whatever number of hosts it is of; empty if no trait changed. Ends with " …" if
 * there are changes that were not read.
 */
export function traitWords(events: readonly ChangesOfTraits[]): string {
  const changes = events.flatMap((event) => event.changes.nodes);
  const words = (verb: string, names: readonly string[]) => {
    const each = [...new Set(names)].toSorted();
    const more = each.length > traitsNamed ? ` and ${formatCount(each.length - traitsNamed)} more` : '';
    return each.length === 0 ? [] : [`${verb} ${each.slice(0, traitsNamed).join(', ')}${more}`];
  };
  const all = [
    ...words(
      'added',
      changes.flatMap(({ traitNamesAdded = [] }) => traitNamesAdded),
    ),
    ...words(
      'removed',
      changes.flatMap(({ traitNamesRemoved = [] }) => traitNamesRemoved),
    ),
  ].join(', ');
  const areMore = events.some((event) => event.changes.totalCount > event.changes.nodes.length);
  return all !== '' && areMore ? `${all} …` : all;
}

const recordFields = [
  'total',
  'reserved',
  'minUnit',
  'maxUnit',
  'stepSize',
  'allocationRatio',
] as const satisfies (keyof RecordShownFragment)[];
const recordWords: Readonly<Record<(typeof recordFields)[number], string>> = {
  total: 'total',
  reserved: 'reserved',
  minUnit: 'min unit',
  maxUnit: 'max unit',
  stepSize: 'step size',
  allocationRatio: 'ratio',
};

/** All fields of a new or deleted record; only the changed fields of a changed one. */
function recordLines(resourceClass: string, { before, after }: Change<RecordShownFragment>): string[] {
  const record = after ?? before;
  if (record === null) return [];
  if (before !== null && after !== null) {
    return recordFields.flatMap((name) => field(`${resourceClass} ${recordWords[name]}`, { before: before[name], after: after[name] }));
  }
  return [
    `${resourceClass} ${after === null ? 'deleted' : 'new'}: total ${shown(record.total)}, reserved ${shown(record.reserved)}, ratio ${shown(record.allocationRatio)}`,
  ];
}

export function wordsOf(change: ChangeShownFragment): ChangeWords {
  const { action } = change;
  const words = (noun: string, name: string, address: string | null, lines: readonly string[]): ChangeWords => ({
    subject: `${spoken(action)} ${noun} ${name}`,
    address: action === 'DELETED' ? null : address,
    lines,
  });
  switch (change.__typename) {
    case 'ResourceProviderChange':
      return words('provider', change.resourceProvider?.name ?? change.resourceProviderUuid, `/providers/${change.resourceProviderUuid}`, [
        ...field('name', change.name),
        ...field('generation', change.generation),
        ...field('parent', change.parent),
        ...change.inventories.flatMap(({ resourceClassName, ...record }) => recordLines(resourceClassName, record)),
        ...list('traits added', change.traitNamesAdded),
        ...list('traits removed', change.traitNamesRemoved),
        ...list('aggregates joined', change.aggregateUuidsAdded),
        ...list('aggregates left', change.aggregateUuidsRemoved),
      ]);
    case 'ConsumerChange':
      return {
        ...words('consumer', change.consumerUuid, null, [
          ...field('generation', change.generation),
          ...field('project', change.project),
          ...field('user', change.user),
          ...field('type', change.consumerType),
          ...field('expires', momentsIn(change.expiresAt)),
          ...change.allocations.flatMap(({ resourceProvider, resourceProviderUuid, resourceClassName, before, after }) =>
            field(`${resourceClassName} on ${resourceProvider?.name ?? resourceProviderUuid}`, { before, after }),
          ),
        ]),
        // A deleted consumer has a page, too, with its last events.
        address: `/consumers/${change.consumerUuid}`,
      };
    case 'AggregateChange':
      return words('aggregate', change.aggregateUuid, null, field('name', change.name));
    case 'TraitChange':
      return words('trait', change.traitName, null, []);
    case 'ResourceClassChange':
      return words('resource class', change.resourceClassName, null, []);
    case 'ServiceChange':
      return words('service', `${change.binary} on ${change.host}`, null, [
        ...field('version', change.version),
        ...change.facts.flatMap((fact) => field(fact.name, fact)),
      ]);
    case 'DeviceChange':
      return words(
        'device',
        change.address,
        `/providers/${change.resourceProviderUuid}`,
        change.facts.flatMap((fact) => field(fact.name, fact)),
      );
    case 'RecordChange':
      return words(
        spoken(change.recordKind),
        change.recordUuid,
        null,
        change.facts.flatMap((fact) => field(fact.name, fact)),
      );
  }
}
