// What a claim asks for: its consumers, in units of which each gets one candidate.
import type { AllocationInput } from '../../domain/allocation.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import type { ConsumerExpectation } from '../allocations/allocation-writes.ts';
import type { ExpiryInput } from '../allocations/expiry.ts';
import { InputCheck } from '../request/input.ts';
import type { CandidatesInput } from './requests.ts';

export interface ClaimConsumer {
  readonly consumer: string;
  readonly expect: ConsumerExpectation;
  /** Instead of a candidate: another consumer of this claim, whose previous allocations this one takes over. */
  readonly takeFrom?: Optional<string>;
  /** What it keeps beside its candidate, of which it takes nothing on the providers of these. */
  readonly keeps?: readonly AllocationInput[];
  readonly project?: Optional<string>;
  readonly user?: Optional<string>;
  readonly consumerType?: Optional<string>;
  readonly expiry?: Optional<ExpiryInput>;
  /** Uuid of the reservation that it claims from: the same for all consumers of a claim that get a candidate. */
  readonly reservation?: Optional<string>;
}

export interface ClaimInput {
  readonly consumers: readonly ClaimConsumer[];
  readonly request: CandidatesInput;
  readonly mode?: Optional<'ALL_OR_NOTHING' | 'BEST_EFFORT'>;
  /** The number of further candidates to return for each consumer that got one. */
  readonly alternates?: Optional<number>;
  /** Aggregates that partition the cloud, such as cells: the root of an alternate is in the same ones as the root of the candidate. */
  readonly alternatesIn?: Optional<readonly string[]>;
}

const maxAlternates = limits.claimAlternates;
const maxAlternatesInAll = limits.claimAlternatesInAll;
const maxAggregates = limits.claimAggregates;

/** Consumers that are written together, as indexes of the input: one that gets a candidate, and those that take over its previous allocations. */
export interface Unit {
  readonly seeker: number;
  readonly members: readonly number[];
}

/** The units of a claim. Refuses INVALID_INPUT. */
export function parseUnits({ consumers, request, alternates, alternatesIn }: ClaimInput, mostConsumers: number): Unit[] {
  const check = new InputCheck();
  check.size(['consumers'], consumers, 1, mostConsumers);
  const places = new Map(consumers.map(({ consumer }, index) => [consumer, index]));
  check.unique(
    ['consumers'],
    consumers.map(({ consumer }) => consumer),
    (index) => [index, 'consumer'],
  );
  const first = consumers.find(({ takeFrom }) => typeof takeFrom !== 'string');
  for (const [index, { takeFrom, reservation }] of consumers.entries()) {
    if (typeof takeFrom !== 'string' && (reservation ?? null) !== (first?.reservation ?? null)) {
      check.add(['consumers', index, 'reservation'], 'reservation must be the same for all consumers of a claim');
    }
  }
  if (request.during) check.add(['request', 'during'], 'during is for searches: give the consumers an expiry, or a reservation');
  const isSeeker = (index: number | undefined) => index !== undefined && typeof consumers[index]?.takeFrom !== 'string';
  for (const [index, { takeFrom }] of consumers.entries()) {
    if (typeof takeFrom !== 'string' || isSeeker(places.get(takeFrom))) continue;
    check.add(['consumers', index, 'takeFrom'], 'takeFrom must be a consumer of this claim that gets a candidate');
  }
  const wanted = alternates ?? 0;
  if (wanted < 0 || wanted > maxAlternates) check.add(['alternates'], `must be from 0 to ${maxAlternates}`);
  else if (wanted * consumers.length > maxAlternatesInAll) {
    check.add(['alternates'], `must be at most ${maxAlternatesInAll} for all consumers together, not ${wanted * consumers.length}`);
  }
  check.size(['alternatesIn'], alternatesIn ?? [], 0, maxAggregates);
  check.done();
  const takers = new Map<number, number[]>();
  for (const [index, { takeFrom }] of consumers.entries()) {
    const seeker = typeof takeFrom === 'string' ? places.get(takeFrom) : undefined;
    if (seeker !== undefined) takers.set(seeker, [...(takers.get(seeker) ?? []), index]);
  }
  const seekers = [...consumers.keys()].filter(isSeeker);
  return seekers.map((seeker) => ({ seeker, members: [seeker, ...(takers.get(seeker) ?? [])].sort((a, b) => a - b) }));
}
