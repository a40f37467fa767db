// A request to Placement under construction: its groups, the traits required of and forbidden for its root, and warnings. Knows nothing of flavors.
import { invalidInput } from '../../domain/errors.ts';
import type { Path } from '../../domain/input.ts';
import { maxAmount } from '../../domain/inventory.ts';
import { standardResourceClasses } from '../../domain/standard-resource-classes.ts';
import { customNameFault } from '../../domain/text.ts';
import type { CandidatesInput } from '../../operations/candidates/requests.ts';
import type { RequestWarning, RequestWarningCode } from '../terms/request-warnings.ts';

export type RequestGroup = CandidatesInput['groups'][number];
export type AggregateClause = NonNullable<RequestGroup['aggregates']>[number];

export interface DraftGroup {
  readonly resources: Map<string, number>;
  readonly required: Set<string>;
  readonly forbidden: Set<string>;
  readonly aggregates: AggregateClause[];
  inTree: string | null;
}

/** A request without its policy and order. */
export type DraftedRequest = Pick<CandidatesInput, 'groups' | 'rootTraits' | 'sameSubtree'>;

/** Keys of extra specs that go to a group. */
const keyPattern = /^(resources|trait)([a-zA-Z0-9_-]{0,64}):(.*)$/;

/** Sizes come first in a group, whatever requested them. */
const sizes = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'];

export class RequestDraft {
  readonly warnings: RequestWarning[] = [];
  readonly rootRequired = new Set<string>();
  readonly rootForbidden = new Set<string>();
  readonly sameSubtree: { readonly suffixes: readonly string[] }[] = [];
  /** The group without suffix comes first. */
  readonly #groups = new Map<string, DraftGroup>([['', emptyGroup()]]);
  readonly #foreign = new Map<string, RequestGroup>();

  warn(code: RequestWarningCode, subject: string | null, message: string): void {
    this.warnings.push({ code, subject, message });
  }

  /** A group of the flavor; '' is the one without suffix. */
  group(suffix: string): DraftGroup {
    const group = this.#groups.get(suffix) ?? emptyGroup();
    this.#groups.set(suffix, group);
    return group;
  }

  /** Adds a group that does not come from the flavor, unchanged. Refuses INVALID_INPUT if its suffix is missing or taken, or the group is empty. */
  addForeign(group: RequestGroup, path: Path): void {
    const { suffix } = group;
    if (!suffix) throw invalidInput(path, 'must have a suffix: the group without one is for the flavor');
    if (this.#groups.has(suffix) || this.#foreign.has(suffix)) throw invalidInput(path, `the suffix ${suffix} is taken by another group`);
    if (isEmpty(group)) throw invalidInput(path, `the group ${suffix} is empty`);
    this.#foreign.set(suffix, group);
  }

  /** The classes that any group names, even with 0. */
  get classes(): ReadonlySet<string> {
    const own = [...this.#groups.values()].flatMap(({ resources }) => [...resources.keys()]);
    const foreign = [...this.#foreign.values()].flatMap(({ resources }) => (resources ?? []).map(({ resourceClass }) => resourceClass));
    return new Set([...own, ...foreign]);
  }

  /** Every trait that some group requires. */
  get requiredTraits(): ReadonlySet<string> {
    const own = [...this.#groups.values()].flatMap(({ required }) => [...required]);
    const foreign = [...this.#foreign.values()].flatMap(({ traits }) => (traits ?? []).flatMap(({ allOf }) => allOf ?? []));
    return new Set([...own, ...foreign]);
  }

  /**
   * Reads one key of the form `resources[S]:CLASS` or `trait[S]:NAME` into a group: that of its suffix, or the given one. Invalid keys and values are left out
   * with a warning.
   */
  readKey(key: string, value: string, given?: DraftGroup): void {
    const [, kind, suffix = '', name = ''] = keyPattern.exec(key) ?? [];
    const leaveOut = (why: string) => this.warn('EXTRA_SPEC_LEFT_OUT', key, `${key} was left out: ${why}`);
    if (kind === 'resources') {
      const isKnown = standardResourceClasses.some((standard) => standard.name === name) || customNameFault(name) === null;
      const amount = /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
      if (!isKnown) leaveOut(`${name} is not a resource class`);
      else if (amount <= maxAmount) (given ?? this.group(suffix)).resources.set(name, amount);
      else leaveOut(`${value} is not a whole number from 0 to ${maxAmount}`);
    } else if (kind === 'trait') {
      if (value === 'required' || value === 'forbidden') (given ?? this.group(suffix))[value].add(name);
      else leaveOut(`${value} is neither required nor forbidden`);
    }
  }

  /** The groups of the flavor that request something. A group with only traits is kept, because dropping it would weaken the request. */
  renderOwn(): RequestGroup[] {
    return [...this.#groups].flatMap(([suffix, group]) => {
      const rendered = renderGroup(suffix, group);
      if (isEmpty(rendered)) return [];
      if (rendered.resources?.length === 0) {
        const words = `the group ${suffix || 'without suffix'} has traits but no resources: such a request is refused`;
        this.warn('GROUP_WITHOUT_RESOURCES', suffix || null, words);
      }
      return [rendered];
    });
  }

  /** The whole request, with these groups of the flavor. */
  render(own: readonly RequestGroup[]): DraftedRequest {
    const rootTraits = clausesOf(this.rootRequired, this.rootForbidden);
    return {
      groups: [...own, ...this.#foreign.values()],
      ...(rootTraits.length > 0 ? { rootTraits } : {}),
      ...(this.sameSubtree.length > 0 ? { sameSubtree: this.sameSubtree } : {}),
    };
  }
}

export function emptyGroup(): DraftGroup {
  return { resources: new Map(), required: new Set(), forbidden: new Set(), aggregates: [], inTree: null };
}

/** A group with its amounts above 0. */
export function renderGroup(suffix: string, { required, forbidden, aggregates, inTree, ...group }: DraftGroup): RequestGroup {
  const traits = clausesOf(required, forbidden);
  return {
    ...(suffix ? { suffix } : {}),
    resources: amountsOf(group),
    ...(traits.length > 0 ? { traits } : {}),
    ...(aggregates.length > 0 ? { aggregates } : {}),
    ...(inTree ? { inTrees: [inTree] } : {}),
  };
}

const isEmpty = ({ resources, traits, aggregates }: RequestGroup) =>
  [resources, traits, aggregates].every((list) => (list?.length ?? 0) === 0);

function amountsOf({ resources }: Pick<DraftGroup, 'resources'>) {
  const rank = (resourceClass: string) => (sizes.includes(resourceClass) ? sizes.indexOf(resourceClass) : sizes.length);
  return [...resources]
    .flatMap(([resourceClass, amount]) => (amount > 0 ? { resourceClass, amount } : []))
    .sort((one, other) => rank(one.resourceClass) - rank(other.resourceClass));
}

function clausesOf(required: ReadonlySet<string>, forbidden: ReadonlySet<string>) {
  if (required.size + forbidden.size === 0) return [];
  return [{ ...(required.size > 0 ? { allOf: [...required] } : {}), ...(forbidden.size > 0 ? { noneOf: [...forbidden] } : {}) }];
}
