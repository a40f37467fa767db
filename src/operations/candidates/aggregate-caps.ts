// How many consumers of a claim the quotas let into an aggregate, such as a zone: a claim learns it from refusals, and looks elsewhere for the others.
import { selectQuotaUses } from '../../db/quotas.ts';
import type { Db } from '../../db/sql/client.ts';
import type { Forest, ForestProvider } from '../../domain/candidates/forest.ts';
import type { TurnConditions } from '../../domain/candidates/in-turn.ts';
import type { CandidateRequest, GroupMapping, RootRule } from '../../domain/candidates/request.ts';
import type { Problem } from '../../domain/errors.ts';
import { bounds, leftOf, type QuotaUse } from '../../domain/quota.ts';
import { groupBy } from '../request/keyed-loaders.ts';
import type { FoundCandidate } from './candidates.ts';
import type { ClaimConsumer, Unit } from './claim-units.ts';

interface Placed {
  readonly unit: Unit;
  readonly candidate: Pick<FoundCandidate, 'allocations'>;
}

interface RefusedUnit {
  readonly unit: Unit;
  readonly problems: readonly Problem[];
}

/** What a quota counts: something of a class in an aggregate (uuid), or with null consumers that hold anything there. */
interface Place {
  readonly aggregate: string;
  readonly resourceClass: string | null;
}

interface Cap extends Place {
  readonly most: number;
}

/** What the quotas leave to new consumers of one project, user and type, or to an existing consumer. */
interface Owner {
  readonly caps: Map<string, Cap>;
  /** The last refusal. */
  problem: Problem;
}

const nameOf = ({ aggregate, resourceClass }: Place) => `${aggregate} ${resourceClass}`;

export class AggregateCaps {
  readonly #consumers: readonly ClaimConsumer[];
  readonly #owners = new Map<string, Owner>();
  readonly #refused = new Set<number>();

  constructor(consumers: readonly ClaimConsumer[]) {
    this.#consumers = consumers;
  }

  /** Whether a refused unit may be within the quotas elsewhere: what consumers take over counts where it is, wherever the candidate is. */
  isPlacedThere(forest: Forest, { candidate }: Placed, problems: readonly Problem[]): boolean {
    return problems.every((problem) => {
      const place = placeOf(problem);
      return place === null || holds(forest, candidate, place);
    });
  }

  /** Learns from units that were placed together, and of which some were refused. Returns whether there is a cap that was not known. */
  async learn(
    db: Db,
    forest: Forest,
    request: CandidateRequest,
    placed: readonly Placed[],
    refused: readonly RefusedUnit[],
  ): Promise<boolean> {
    let isNews = false;
    const newcomers: string[] = [];
    for (const [key, units] of groupBy(refused, ({ unit }) => this.#keyOf(unit))) {
      const own = placed.filter(({ unit }) => this.#keyOf(unit) === key);
      const reasons = units.flatMap(({ unit, problems }) => problems.map((problem) => ({ unit, problem, place: placeOf(problem) })));
      for (const [name, those] of groupBy(reasons, ({ place }) => place && nameOf(place))) {
        const [reason] = those;
        if (name === null || !reason?.place) continue;
        let owner = this.#owners.get(key);
        if (!owner) {
          owner = { caps: new Map(), problem: reason.problem };
          this.#owners.set(key, owner);
          newcomers.push(key);
        }
        const { place, problem } = reason;
        const there = own.filter(({ candidate }) => holds(forest, candidate, place)).length;
        owner.problem = problem;
        isNews ||= !owner.caps.has(name);
        owner.caps.set(name, { ...place, most: Math.max(0, there - new Set(those.map(({ unit }) => unit.seeker)).size) });
        for (const { unit } of those) this.#refused.add(unit.seeker);
      }
    }
    if (newcomers.length > 0) await this.#readFull(db, request, new Set(newcomers));
    return isNews;
  }

  /** Units that were refused come last, so that the others keep their places. */
  inOrder(units: readonly Unit[]): readonly Unit[] {
    return [...units.filter(({ seeker }) => !this.#refused.has(seeker)), ...units.filter(({ seeker }) => this.#refused.has(seeker))];
  }

  /** Why a unit has no candidate: for want of a quota, if a cap keeps it from any. */
  reasonFor(unit: Unit, problem: Problem): Problem {
    const owner = this.#owners.get(this.#keyOf(unit));
    return owner ? { ...owner.problem, path: problem.path, ...('consumer' in problem && { consumer: problem.consumer }) } : problem;
  }

  /** Keeps units, one for each turn of a search, out of the aggregates that are full for them. Null without caps. */
  outside(forest: Forest, units: readonly Unit[]): Exclude<TurnConditions['outside'], undefined> {
    if (this.#owners.size === 0) return null;
    const keys = units.map((unit) => this.#keyOf(unit));
    /** By owner and place, how many candidates so far count there. */
    const counts = new Map<string, number>();
    let counted = 0;
    const rules = new Map<string, RootRule>();
    return (turn, candidates, turns) => {
      for (; counted < candidates.length; counted++) {
        const key = keys[turns[counted] as number] as string;
        for (const [name, cap] of this.#owners.get(key)?.caps ?? []) {
          if (uses(forest, candidates[counted]?.mappings ?? [], cap)) counts.set(`${key} ${name}`, (counts.get(`${key} ${name}`) ?? 0) + 1);
        }
      }
      const key = keys[turn] as string;
      const full = [...(this.#owners.get(key)?.caps ?? [])].filter(([name, { most }]) => (counts.get(`${key} ${name}`) ?? 0) >= most);
      if (full.length === 0) return null;
      const names = full.map(([name]) => name).join();
      const rule =
        rules.get(names) ??
        ruleAgainst(
          forest,
          full.map(([, cap]) => cap),
        );
      rules.set(names, rule);
      return rule;
    };
  }

  /** Nothing more fits where a quota leaves less than a new consumer needs. One read, when its owner is first refused. */
  async #readFull(db: Db, request: CandidateRequest, keys: ReadonlySet<string>): Promise<void> {
    const newcomers = this.#consumers.filter((consumer) => keys.has(keyOf(consumer)) && isNew(consumer));
    const projects = [...new Set(newcomers.flatMap(({ project }) => project ?? []))];
    const quotas = groupBy(projects.length > 0 ? await selectQuotaUses(db, projects, true) : [], ({ asked }) => asked);
    for (const consumer of newcomers) {
      const { caps } = this.#owners.get(keyOf(consumer)) as Owner;
      for (const quota of quotas.get(consumer.project ?? '') ?? []) {
        const { aggregate, resourceClass } = quota;
        if (!aggregate || !isUsedUp(quota, consumer, request)) continue;
        caps.set(nameOf({ aggregate, resourceClass }), { aggregate, resourceClass, most: 0 });
      }
    }
  }

  #keyOf({ seeker }: Unit): string {
    return keyOf(this.#consumers[seeker] as ClaimConsumer);
  }
}

/** New consumers of the same owner need the same; what an existing one adds to a quota depends on what it holds. */
function keyOf(consumer: ClaimConsumer): string {
  const { project, user, consumerType } = consumer;
  return isNew(consumer) ? JSON.stringify([project, user, consumerType]) : consumer.consumer;
}

function isNew({ expect, project }: ClaimConsumer): boolean {
  return 'isNew' in expect && expect.isNew === true && typeof project === 'string';
}

function isUsedUp(quota: QuotaUse, consumer: ClaimConsumer, { groups }: CandidateRequest): boolean {
  if (!bounds(quota, consumer)) return false;
  const asked = groups.flatMap(({ resources }) => resources).filter(({ resourceClass }) => resourceClass === quota.resourceClass);
  const needed = quota.resourceClass === null ? 1 : Math.min(...asked.map((one) => one.amount));
  return Number.isFinite(needed) && needed > leftOf(quota);
}

/** What the quota counts that refused a consumer; null if it was not for an aggregate. */
function placeOf(problem: Problem): Place | null {
  if (problem.code !== 'QUOTA_EXCEEDED' || !problem.aggregate) return null;
  return { aggregate: problem.aggregate, resourceClass: problem.resourceClass };
}

/** Whether the quota of an aggregate refused a consumer, so that it may be served elsewhere. */
export function isForAggregate(problem: Problem): boolean {
  return placeOf(problem) !== null;
}

/** Whether a claim found nothing: no room, or no quota where there is room. */
export function isForWantOfRoom(problem: Problem): boolean {
  return problem.code === 'NO_CANDIDATES' || isForAggregate(problem);
}

/** What is held on a provider counts in the aggregates of its root. */
function isIn(forest: Forest, provider: ForestProvider | undefined, aggregate: string): boolean {
  const id = forest.aggregates.idOf(aggregate);
  return id !== undefined && (provider?.tree.root.aggregates.has(id) ?? false);
}

/** Whether a candidate takes what counts in a place. */
function holds(forest: Forest, { allocations }: Placed['candidate'], { aggregate, resourceClass }: Place): boolean {
  return allocations.some(
    ({ resourceProvider, resourceClass: { name } }) =>
      (resourceClass === null || name === resourceClass) && isIn(forest, forest.findByUuid(resourceProvider.uuid), aggregate),
  );
}

/** The same of the providers that serve groups: of one that has a class, something is taken. */
function uses(forest: Forest, mappings: readonly GroupMapping[], { aggregate, resourceClass }: Place): boolean {
  return mappings.some(({ providers }) => providers.some((provider) => isIn(forest, provider, aggregate) && has(provider, resourceClass)));
}

function has({ state }: ForestProvider, resourceClass: string | null): boolean {
  return resourceClass === null || state.inventories.some(({ className }) => className === resourceClass);
}

function ruleAgainst(forest: Forest, full: readonly Place[]): RootRule {
  // What pools have, a host can take from elsewhere.
  const own = full.filter(({ resourceClass }) => resourceClass === null || ![...forest.sharing].some((pool) => has(pool, resourceClass)));
  const roots = own.flatMap(({ aggregate }) => {
    const trees = forest.byAggregate.listOf(forest.aggregates.idOf(aggregate) ?? -1).trees;
    return trees.flatMap(({ root }) => (isIn(forest, root, aggregate) ? root.state.provider.uuid : []));
  });
  return {
    words: 'where quotas leave something',
    except: new Set(roots),
    admit: (_, mappings) => (full.some((place) => uses(forest, mappings, place)) ? null : []),
  };
}
