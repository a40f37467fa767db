// Splits a request into requirements, each of which could be dropped on its own, and the filters that check them, worded for operators. A
// filter is one condition of the rules in groups.ts; tests hold the two equal. Conditions between groups (joints) stay in combine.ts, which
// is run on queries that omit some of them.
import { hasRoom, unitFault } from '../inventory.ts';
import { are, type Filter, formatAmount, have, noSubject, oneOf, type Phrase } from './explain-filters.ts';
import type { Forest, ForestProvider, Tree } from './forest.ts';
import { hasAny, Membership, type Query, type Slot, type Take } from './groups.ts';
import { type CandidateRequest, flattenClauses, obeys, type RequestGroup } from './request.ts';

/** A part of the request that could be dropped. Identical groups share their requirements. */
export interface Requirement {
  /** Its name in a sentence, after "without". */
  readonly name: string;
  /** For a requirement of a class: the class, the amount, and which group is meant. */
  readonly take: (Take & { readonly className: string; readonly called: string }) | null;
  /** What a provider that fails it is missing: names of traits, uuids of aggregates. */
  readonly lacksTraits: readonly string[];
  readonly lacksAggregates: readonly string[];
  /** A sentence if no provider in the whole forest could meet it, otherwise null. */
  readonly absence: () => string | null;
}

/** Checks a provider under an anchor: returns the index of the filter that it fails, or `passes`. */
export interface Check {
  readonly first: number;
  readonly judge: (provider: ForestProvider, tree: Tree) => number;
}

export const passes = -1;

export interface Requirements {
  readonly all: readonly Requirement[];
  /** In order of evaluation. */
  readonly filters: readonly Filter[];
  readonly ofRoot: readonly Check[];
  /** By run: the checks of each single provider. */
  readonly ofRun: readonly (readonly Check[])[];
  /** Indexes of the filters between groups, or over all their providers together. */
  readonly joints: readonly number[];
  /** All checks of a provider that serves every group by itself; null if the groups could compete for it. */
  readonly ofLoneProvider: readonly Check[] | null;
  /** The query for combine.ts without some requirements, given by index. */
  readonly queryWithout: (dropped: readonly number[]) => Query;
}

/** Splits a request into its requirements. */
export function requirementsOf(forest: Forest, request: CandidateRequest, query: Query): Requirements {
  return new Analysis(forest, request, query).requirements();
}

class Analysis {
  private readonly forest: Forest;
  private readonly request: CandidateRequest;
  private readonly query: Query;
  private readonly all: Requirement[] = [];
  private readonly filters: Filter[] = [];
  private readonly joints: number[] = [];
  private readonly ofRun: (readonly Check[])[] = [];
  /** By requirement: the take that a query without it must omit. */
  private readonly takes = new Map<number, { readonly run: number; readonly classId: number }>();
  private readonly spreadTraits: { readonly requirement: number; readonly ids: readonly number[] }[] = [];
  private readonly subtrees = new Map<number, number>();
  private readonly together = new Map<number, number>();
  private isolate = passes;
  private withoutNested = passes;

  constructor(forest: Forest, request: CandidateRequest, query: Query) {
    this.forest = forest;
    this.request = request;
    this.query = query;
  }

  requirements(): Requirements {
    const ofRoot = this.checksOfRoot();
    for (const group of this.request.groups) this.addGroup(group);
    const ofSpread = this.addSpreadTraits();
    this.addJoints();
    const mayCompete = this.query.contested.size > 0 || this.isolate !== passes;
    const lone = [...new Set([...ofRoot, ...this.ofRun.flat(), ...ofSpread])].sort((a, b) => a.first - b.first);
    const queries = new Map<string, Query>();
    return {
      all: this.all,
      filters: this.filters,
      ofRoot,
      ofRun: this.ofRun,
      joints: this.joints,
      ofLoneProvider: mayCompete ? null : lone,
      queryWithout: (dropped) => {
        const key = dropped.join();
        const query = queries.get(key) ?? this.without(new Set(dropped));
        queries.set(key, query);
        return query;
      },
    };
  }

  /** Adds a requirement and its filters; returns the index of the first filter. */
  private add(group: string | null, requirement: Partial<Requirement> & Pick<Requirement, 'name'>, ...phrases: readonly Phrase[]): number {
    const nothing = { take: null, lacksTraits: [], lacksAggregates: [], absence: () => null };
    const first = this.filters.length;
    const number = this.all.push({ ...nothing, ...requirement }) - 1;
    for (const phrase of phrases) this.filters.push({ ...noSubject, ...phrase, group, requirement: number });
    return first;
  }

  private addJoint(requirement: Partial<Requirement> & Pick<Requirement, 'name'>, phrase: Phrase, group: string | null = null): number {
    const first = this.add(group, requirement, phrase);
    this.joints.push(first);
    return this.all.length - 1;
  }

  private checksOfRoot(): Check[] {
    const { required, forbidden } = flattenClauses(this.request.rootTraits);
    const { rootTraits, rootAggregates } = this.query;
    const places = flattenClauses(this.request.rootAggregates ?? []);
    return [
      ...required.map((names, index) => {
        const words = oneOf('root trait', names);
        const ids = rootTraits.required[index] as readonly number[];
        const requirement = { name: words, lacksTraits: names, absence: () => this.absenceOfTraits(names) };
        const phrase: Phrase = { ...have(words), kind: 'ROOT_TRAITS', traitNames: names };
        return this.checkRoot(requirement, phrase, (root) => hasAny(root.traits, ids));
      }),
      ...forbidden.map((name, index) => {
        const words = are(`without root trait ${name}`, `forbidden root trait ${name}`);
        const phrase: Phrase = { ...words, kind: 'ROOT_FORBIDDEN_TRAIT', traitNames: [name] };
        const id = rootTraits.forbidden[index] as number;
        return this.checkRoot({ name: `forbidding root trait ${name}` }, phrase, (root) => !root.traits.has(id));
      }),
      ...places.required.map((uuids, index) => {
        const words = `root in ${this.oneOfAggregates(uuids)}`;
        const ids = rootAggregates.required[index] as readonly number[];
        const requirement = { name: `the ${words}`, lacksAggregates: uuids, absence: () => this.absenceOfAggregates([uuids]) };
        const phrase: Phrase = { ...have(`their ${words}`, words), kind: 'ROOT_AGGREGATES', aggregateUuids: uuids };
        return this.checkRoot(requirement, phrase, (root) => hasAny(root.aggregates, ids));
      }),
      ...places.forbidden.map((uuid, index) => {
        const words = `root outside ${this.oneOfAggregates([uuid])}`;
        const id = rootAggregates.forbidden[index] as number;
        const phrase: Phrase = { ...have(`their ${words}`, words), kind: 'ROOT_FORBIDDEN_AGGREGATE', aggregateUuids: [uuid] };
        return this.checkRoot({ name: `the ${words}` }, phrase, (root) => !root.aggregates.has(id));
      }),
      ...this.query.rootRules.map((rule) => {
        const phrase: Phrase = { ...are(rule.words, `root ${rule.words}`), kind: 'ROOT_RULE' };
        return this.checkRoot({ name: `the root ${rule.words}` }, phrase, ({ state }) => obeys(rule, state.provider.uuid));
      }),
    ];
  }

  private checkRoot(requirement: Parameters<typeof this.add>[1], phrase: Phrase, isMet: (root: ForestProvider) => boolean): Check {
    return check(this.add(null, requirement, phrase), (_, { root }) => isMet(root));
  }

  private addGroup(group: RequestGroup): void {
    const slots = this.query.slots.filter((slot) => slot.group.suffix === group.suffix);
    // Identical groups are explained once.
    if (slots.every(({ run }) => this.ofRun[run])) return;
    const called = this.nameOf(slots);
    const before = this.checkInTrees(group, slots, called);
    const ofSlots = slots.map((slot) =>
      slot.takes.map(({ classId, amount }) => {
        const className =
          group.resources.find(({ resourceClass }) => (this.forest.classes.idOf(resourceClass) ?? -1) === classId)?.resourceClass ?? '';
        return this.checkClass({ classId, amount, className, called }, slot);
      }),
    );
    const after = [...this.checksOfTraits(group, slots, called), ...this.checksOfAggregates(group, slots, called)];
    for (const [place, { run }] of slots.entries()) this.ofRun[run] = [...before, ...(ofSlots[place] as Check[]), ...after];
  }

  /** Says which group is meant, if there are several: ` for group a`. */
  private nameOf(slots: readonly Slot[]): string {
    if (this.request.groups.length === 1) return '';
    const [slot] = slots;
    if (slot?.group.suffix === '') return ' for the group without suffix';
    const suffixes = this.query.slots.filter(({ run }) => run === slot?.run).map(({ group }) => group.suffix);
    return suffixes.length === 1 ? ` for group ${suffixes[0]}` : ` for each of the groups ${suffixes.join(', ')}`;
  }

  private checkInTrees({ suffix, inTrees: uuids }: RequestGroup, [slot]: readonly Slot[], called: string): Check[] {
    const trees = slot?.group.inTrees;
    if (!uuids || !trees) return [];
    const names = uuids.map((uuid) => this.forest.findByUuid(uuid)?.state.provider.name ?? uuid).join(', ');
    const [tree, nobody] = uuids.length === 1 ? ['the tree of', 'There is no provider'] : ['one of the trees of', 'There are no providers'];
    const absence = () => (trees.size > 0 ? null : `${nobody} ${names}.`);
    const first = this.add(
      suffix,
      { name: `asking for ${tree} ${names}${called}`, absence },
      {
        words: `in ${tree} ${names}`,
        verb: 'can',
        object: `take from ${tree} ${names}${called}`,
        kind: 'TREE',
        resourceProviderUuids: uuids,
      },
    );
    // The unsuffixed group may not use other trees, not even sharing providers.
    return [check(first, (provider, anchor) => trees.has(provider.tree) && (suffix !== '' || provider.tree === anchor))];
  }

  private checkClass(take: NonNullable<Requirement['take']>, { group, run }: Slot): Check {
    const { classId, amount, className, called } = take;
    const many = `${formatAmount(amount)} ${className}`;
    const asked = { resourceClassName: className, amount };
    const first = this.add(
      group.suffix,
      { name: many + called, take, absence: () => this.absenceOfClass(className) },
      { ...have(`an inventory of ${className}${called}`, `inventory of ${className}`), ...asked, kind: 'INVENTORY' },
      { words: `${many} in one allocation`, verb: 'can', object: `give ${many} in one allocation${called}`, ...asked, kind: 'UNITS' },
      { ...have(`room for ${many}${called}`, `room for ${many}`), ...asked, kind: 'ROOM' },
    );
    this.takes.set(this.all.length - 1, { run, classId });
    return {
      first,
      judge: (provider) => {
        const inventory = provider.inventoryOf(classId);
        if (!inventory) return first;
        if (unitFault(inventory, amount) !== null) return first + 1;
        return hasRoom(inventory, amount) ? passes : first + 2;
      },
    };
  }

  private checksOfTraits({ suffix, traits }: RequestGroup, [slot]: readonly Slot[], called: string): Check[] {
    const { required, forbidden } = flattenClauses(traits);
    const own = suffix === '' ? [] : required;
    return [
      ...own.map((names, index) => {
        const ids = slot?.group.traits.required[index] as readonly number[];
        const absence = () => this.absenceOfTraits(names, slot);
        const first = this.add(
          suffix,
          { name: `${oneOf('required trait', names)}${called}`, lacksTraits: names, absence },
          { ...have(oneOf('trait', names) + called, oneOf('required trait', names)), kind: 'TRAITS', traitNames: names },
        );
        return check(first, (provider) => hasAny(provider.traits, ids));
      }),
      ...forbidden.map((name, index) => {
        const id = slot?.group.traits.forbidden[index] as number;
        const requirement = { name: `forbidding trait ${name}${called}` };
        const words = are(`without trait ${name}${called}`, `forbidden trait ${name}`);
        const first = this.add(suffix, requirement, { ...words, kind: 'FORBIDDEN_TRAIT', traitNames: [name] });
        return check(first, (provider) => !provider.traits.has(id));
      }),
    ];
  }

  private checksOfAggregates({ suffix, aggregates }: RequestGroup, [slot]: readonly Slot[], called: string): Check[] {
    const { required, forbidden } = flattenClauses(aggregates);
    const checks: Check[] = [];
    if (slot && required.length > 0) {
      const membership = slot.group.aggregates;
      const words = required.map((uuids) => this.oneOfAggregates(uuids)).join(' and of ');
      const lacksAggregates = [...new Set(required.flat())];
      const requirement = { name: `membership of ${words}${called}`, lacksAggregates, absence: () => this.absenceOfAggregates(required) };
      const phrase = are(`in ${words.replaceAll(' and of ', ' and in ')}${called}`, `member of ${words}`);
      const first = this.add(suffix, requirement, { ...phrase, kind: 'AGGREGATES', aggregateUuids: lacksAggregates });
      // In the unsuffixed group the root's aggregates count for every member, but a set must be met by one of the two alone.
      const counts = (tree: Tree, provider: ForestProvider) =>
        suffix === '' && provider.tree === tree && membership.isMetBy(tree.root.aggregates);
      checks.push(check(first, (provider, tree) => membership.isMetBy(provider.aggregates) || counts(tree, provider)));
    }
    for (const [index, uuid] of forbidden.entries()) {
      const id = slot?.group.aggregates.forbidden[index] as number;
      const words = this.oneOfAggregates([uuid]);
      const requirement = { name: `forbidding ${words}${called}` };
      const phrase = are(`outside ${words}${called}`, `not a member of ${words}`);
      const first = this.add(suffix, requirement, { ...phrase, kind: 'FORBIDDEN_AGGREGATE', aggregateUuids: [uuid] });
      checks.push(check(first, ({ aggregates: own }, { root }) => !own.has(id) && (suffix !== '' || !root.aggregates.has(id))));
    }
    return checks;
  }

  /** The traits that the providers of the unsuffixed group must have between them: a joint, except for a provider that serves everything. */
  private addSpreadTraits(): Check[] {
    const group = this.request.groups.find(({ suffix }) => suffix === '');
    const slot = this.query.slots.find((one) => one.group.suffix === '');
    if (!group || !slot) return [];
    const called = this.nameOf([slot]);
    return flattenClauses(group.traits).required.map((names, index) => {
      const ids = slot.group.traits.required[index] as readonly number[];
      const absence = () => this.absenceOfTraits(names, slot);
      const requirement = this.addJoint(
        { name: `${oneOf('required trait', names)}${called}`, lacksTraits: names, absence },
        { ...have(oneOf('trait', names) + called, oneOf('required trait', names)), kind: 'TRAITS', traitNames: names },
        '',
      );
      this.spreadTraits.push({ requirement, ids });
      return check(this.filters.length - 1, (provider) => hasAny(provider.traits, ids));
    });
  }

  private addJoints(): void {
    const { slots, isolate, contested, withoutNested } = this.query;
    if (isolate && slots.filter(({ group }) => group.suffix !== '').length > 1) {
      const suffixes = slots.map(({ group }) => group.suffix).filter((suffix) => suffix !== '');
      const words = have('a different provider for each group', 'group policy ISOLATE');
      this.isolate = this.addJoint({ name: 'group policy ISOLATE' }, { ...words, kind: 'ISOLATION', suffixes });
    }
    for (const [place, suffixes] of this.request.sameSubtree.entries()) {
      if (new Set(suffixes).size < 2) continue;
      // Not with commas alone: a count follows in a sentence.
      const groups = `${suffixes.slice(0, -1).join(', ')} and ${suffixes.at(-1)}`;
      const words = `same subtree of groups ${groups}`;
      this.subtrees.set(
        place,
        this.addJoint({ name: `the ${words}` }, { ...have(`groups ${groups} in one subtree`, words), kind: 'SAME_SUBTREE', suffixes }),
      );
    }
    for (const classId of contested) {
      const className = this.forest.classes.get(classId)?.name ?? 'unknown classes';
      const sum = slots.flatMap(({ takes }) => takes).reduce((total, take) => total + (take.classId === classId ? take.amount : 0), 0);
      const words = `room for the ${formatAmount(sum)} ${className} of all groups together`;
      this.together.set(
        classId,
        this.addJoint(
          { name: `needing ${words}` },
          { ...have(words), kind: 'ROOM_TOGETHER', resourceClassName: this.forest.classes.get(classId)?.name ?? null, amount: sum },
        ),
      );
    }
    if (withoutNested && slots.length > 1) {
      const words = 'one provider only of each tree';
      this.withoutNested = this.addJoint(
        { name: `taking from ${words}` },
        { words, verb: 'can', object: `give from ${words}`, kind: 'ONE_PROVIDER' },
      );
    }
  }

  private without(dropped: ReadonlySet<number>): Query {
    const droppedTakes = [...this.takes].filter(([requirement]) => dropped.has(requirement)).map(([, take]) => take);
    const isTaken = (run: number, { classId }: Take) =>
      !dropped.has(this.together.get(classId) ?? passes) && !droppedTakes.some((take) => take.run === run && take.classId === classId);
    const spread = new Membership(
      this.spreadTraits.filter(({ requirement }) => !dropped.has(requirement)).map(({ ids }) => ids),
      [],
    );
    const slots = this.query.slots.map((slot) => ({
      ...slot,
      takes: slot.takes.filter((take) => isTaken(slot.run, take)),
      subtrees: slot.subtrees.filter((place) => this.subtrees.has(place) && !dropped.has(this.subtrees.get(place) as number)),
      group: slot.group.suffix === '' ? { ...slot.group, traits: spread } : slot.group,
    }));
    return {
      ...this.query,
      slots,
      contested: new Set([...this.together].filter(([, requirement]) => !dropped.has(requirement)).map(([classId]) => classId)),
      isolate: this.isolate !== passes && !dropped.has(this.isolate),
      withoutNested: this.withoutNested !== passes && !dropped.has(this.withoutNested),
    };
  }

  private oneOfAggregates(uuids: readonly string[]): string {
    const names = uuids.map((uuid) => {
      const id = this.forest.aggregates.idOf(uuid);
      return (id !== undefined && this.forest.aggregates.get(id)?.aggregate.name) || uuid;
    });
    return oneOf('aggregate', names);
  }

  private absenceOfClass(className: string): string | null {
    const id = this.forest.classes.idOf(className);
    if (id === undefined) return `There is no resource class ${className}.`;
    return this.forest.byClass.listOf(id).length === 0 ? `No provider has an inventory of ${className}.` : null;
  }

  private absenceOfTraits(names: readonly string[], slot?: Slot): string | null {
    const ids = names.flatMap((name) => this.forest.traits.idOf(name) ?? []);
    if (ids.length === 0) return names.length === 1 ? `There is no trait ${names[0]}.` : `There are no traits ${names.join(', ')}.`;
    const has = names.length === 1 ? `has trait ${names[0]}` : `has any of the traits ${names.join(', ')}`;
    if (ids.every((id) => this.forest.byTrait.listOf(id).length === 0)) return `No provider ${has}.`;
    const sets = slot?.group.aggregates.required ?? [];
    if (sets.length !== 1) return null;
    const aggregateIds = sets[0] as readonly number[];
    const isPresent = aggregateIds.some((id) =>
      this.forest.byAggregate
        .listOf(id)
        .trees.some(({ members, root }) =>
          members.some(({ traits, aggregates }) => hasAny(traits, ids) && (aggregates.has(id) || root.aggregates.has(id))),
        ),
    );
    const uuids = aggregateIds.flatMap((id) => this.forest.aggregates.get(id)?.name ?? []);
    return isPresent || uuids.length === 0 ? null : `No provider in ${this.oneOfAggregates(uuids)} ${has}.`;
  }

  private absenceOfAggregates(required: readonly (readonly string[])[]): string | null {
    for (const uuids of required) {
      const ids = uuids.flatMap((uuid) => this.forest.aggregates.idOf(uuid) ?? []);
      if (ids.length === 0) return `There is no ${this.oneOfAggregates(uuids)}.`;
      if (ids.every((id) => this.forest.byAggregate.listOf(id).length === 0)) return `No provider is in ${this.oneOfAggregates(uuids)}.`;
    }
    return null;
  }
}

function check(first: number, isMet: (provider: ForestProvider, tree: Tree) => boolean): Check {
  return { first, judge: (provider, tree) => (isMet(provider, tree) ? passes : first) };
}
