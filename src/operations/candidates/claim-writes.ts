// The write of a claim, and its answer: the proposals in one transaction, stored so that a replay can return the whole claim.
import type { WrittenAffinity } from '../../db/writes/contract.ts';
import type { AllocationInput, Consumer } from '../../domain/allocation.ts';
import { type Problem, Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import type { Provider } from '../../domain/provider.ts';
import { type AllocationsWritten, type ConsumerAllocations, tryAllocations } from '../allocations/allocation-writes.ts';
import type { RequestScope } from '../scope/scope.ts';
import { isForAggregate } from './aggregate-caps.ts';
import { allocationsOf, type FoundCandidate } from './candidates.ts';
import type { ClaimConsumer, Unit } from './claim-units.ts';
import { CandidateKeeper, candidateWith, type KeptCandidate } from './kept-candidates.ts';
import type { Proposal } from './proposals.ts';

/** The result for one consumer; without a candidate if it took over another's allocations. */
export interface ClaimedConsumer {
  readonly consumer: Consumer;
  readonly candidate: FoundCandidate | null;
  readonly alternates: readonly FoundCandidate[];
}

export interface Claimed {
  /** In the order of the input. */
  readonly claims: readonly ClaimedConsumer[];
  readonly providers: readonly Provider[];
  /** With BEST_EFFORT: why the others were not served. */
  readonly problems: readonly Problem[];
  /** Whether this is the stored answer of an earlier call. */
  readonly replayed?: true | undefined;
  /** The result of `describe` at the time of the claim. */
  readonly own: unknown;
}

/** Stored with the answer of the write, so that a replay can return the whole claim. */
interface ClaimBesides {
  /** As they were when the candidates were found. */
  readonly found: readonly Provider[];
  readonly proposals: readonly { readonly unit: Unit; readonly candidate: KeptCandidate; readonly alternates: readonly KeptCandidate[] }[];
  readonly problems: readonly Problem[];
  readonly own: unknown;
}

/** A unit whose refusal prevented the others from being written. */
interface RefusedUnit {
  readonly unit: Unit;
  readonly problems: readonly Problem[];
  /** Whether the candidate was lost to another write, so that another one may be tried. */
  readonly mayTryAnother: boolean;
}

export type Outcome = { readonly written: AllocationsWritten } | { readonly refusal: Refusal; readonly refused: readonly RefusedUnit[] };

function besidesOf(proposals: readonly Proposal[], { problems, own }: Pick<ClaimBesides, 'problems' | 'own'>): ClaimBesides {
  const keeper = new CandidateKeeper();
  const kept = proposals.map(({ unit, candidate, alternates }) => ({
    unit,
    candidate: keeper.keep(candidate),
    alternates: alternates.map((alternate) => keeper.keep(alternate)),
  }));
  return { found: keeper.providers, proposals: kept, problems, own };
}

/** Writes all proposals in one transaction, and stores with the answer what else it consists of. */
export async function writeProposals(
  scope: RequestScope,
  consumers: readonly ClaimConsumer[],
  proposals: readonly Proposal[],
  besides: Pick<ClaimBesides, 'problems' | 'own'>,
  affinity: Optional<WrittenAffinity>,
): Promise<Outcome> {
  const members = proposals.flatMap(({ unit, candidate }) =>
    unit.members.map((index) => ({ index, unit, seeks: index === unit.seeker, candidate })),
  );
  const holders = members.map(({ index, seeks, candidate }): ConsumerAllocations => {
    const { takeFrom, keeps = [], ...consumer } = consumers[index] as ClaimConsumer;
    return { ...consumer, hold: seeks ? { allocations: besideKept(keeps, allocationsOf(candidate)) } : { takeFrom } };
  });
  // Who keeps something flees from a host: Nova asks for no quota either.
  const isExempt = members.every(({ index }) => (consumers[index]?.keeps ?? []).length > 0);
  try {
    return {
      written: await tryAllocations(scope, { consumers: holders, isExempt, ...(affinity && { affinity }) }, besidesOf(proposals, besides)),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const seekers = new Set(proposals.map(({ unit }) => consumers[unit.seeker]?.consumer));
    const refusal = error.relabelled((problem) => placeInClaim(problem, members));
    const refused = proposals.flatMap(({ unit }): RefusedUnit[] => {
      const problems = refusal.problems.filter(({ path }) => path[0] === 'consumers' && unit.members.includes(Number(path[1])));
      return problems.length === 0 ? [] : [{ unit, problems, mayTryAnother: problems.every((problem) => mayTryAnother(problem, seekers)) }];
    });
    return { refusal, refused };
  }
}

/** What a consumer keeps, and its candidate on other providers: what it keeps of a shared pool serves both, as in Nova. */
function besideKept(keeps: readonly AllocationInput[], candidate: readonly AllocationInput[]): readonly AllocationInput[] {
  const kept = new Set(keeps.map(({ resourceProvider }) => resourceProvider));
  return [...keeps, ...candidate.filter(({ resourceProvider }) => !kept.has(resourceProvider))];
}

const codesOfLostCandidates: ReadonlySet<RefusalCode> = new Set([
  'CAPACITY_EXCEEDED',
  'NO_INVENTORY',
  'UNIT_VIOLATION',
  'AFFINITY_VIOLATION',
]);

/** Whether the candidate was lost to another write, or to a quota for its aggregate, so that another one may be tried. Other refusals of a consumer that takes over are final. */
function mayTryAnother(problem: Problem, seekers: ReadonlySet<string | undefined>): boolean {
  if (problem.code === 'NOT_FOUND') return problem.noun === 'resourceProvider' || problem.noun === 'resourceClass';
  // A candidate elsewhere can bring every consumer of the unit within its quotas, including those that take over.
  if (isForAggregate(problem)) return true;
  return codesOfLostCandidates.has(problem.code) && 'consumer' in problem && seekers.has(problem.consumer);
}

/** Converts paths in the written consumers to paths in the claim. */
function placeInClaim({ path }: Problem, members: readonly { readonly index: number }[]): Path {
  const member = path[0] === 'consumers' ? members[Number(path[1])] : undefined;
  if (!member) return [];
  // The caller did not choose the allocations.
  return ['consumers', member.index, ...(path[2] === 'hold' ? [] : path.slice(2))];
}

/** The result in an answer, fresh or replayed: candidates with their providers as they are after the claim, alternates as they were found. */
export function claimedBy({ consumers, providers, besides, replayed }: AllocationsWritten): Claimed {
  const { found, proposals, problems, own } = besides as ClaimBesides;
  const after = new Map(providers.map((provider) => [provider.uuid, provider]));
  const now = found.map((provider) => after.get(provider.uuid) ?? provider);
  const written = consumers.values();
  const claims = proposals.flatMap(({ unit, candidate, alternates }) =>
    unit.members.map((index) => ({
      index,
      consumer: written.next().value as Consumer,
      candidate: index === unit.seeker ? candidateWith(now, candidate) : null,
      alternates: index === unit.seeker ? alternates.map((alternate) => candidateWith(found, alternate)) : [],
    })),
  );
  return { claims: claims.sort((a, b) => a.index - b.index), providers, problems, replayed, own };
}
