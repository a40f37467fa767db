// Shadow claims: what this ledger would have chosen for a search that the other Placement answered, whether that one would have allowed it, and how full that host is
// among those that it offered.
import { z } from 'zod';
import { type Answers, canonical, type Read } from './answers.ts';
import type { PlacementClient } from './placement/client.ts';

export interface Choice {
  /** Whether the other side offers it, too; null if that cannot be asked for. */
  readonly fits: boolean | null;
  /** The share of the other side's offers that would be fuller, from 0 to 1; null if there are none. */
  readonly rank: number | null;
  readonly text: string;
}

/** From 1.12 on. */
const candidatesAnswer = z.object({
  allocation_requests: z.array(
    z.looseObject({ allocations: z.record(z.string(), z.object({ resources: z.record(z.string(), z.number()) })) }),
  ),
  provider_summaries: z.record(
    z.string(),
    z.object({
      resources: z.record(z.string(), z.object({ capacity: z.number(), used: z.number() })),
      root_provider_uuid: z.string().optional(),
    }),
  ),
});
type Candidates = z.infer<typeof candidatesAnswer>;
type Offer = Candidates['allocation_requests'][number];

/** Two answers to a search; of those that were cut off by its limit only how many there are, because each side may offer others. */
export function withoutLimit({ query, most }: Pick<Read, 'query' | 'most'>, { there, here }: Answers): Answers {
  const [others, ours] = [candidatesAnswer.safeParse(there).data, candidatesAnswer.safeParse(here).data];
  const limit = Math.min(Number(new URLSearchParams(query).get('limit') ?? Number.POSITIVE_INFINITY), most);
  const isCut = others?.allocation_requests.length === limit && ours?.allocation_requests.length === limit;
  return isCut ? { there: limit, here: limit } : { there, here };
}

/** Null if this side offers nothing, or before 1.12. */
export async function judgeChoice(placement: PlacementClient, read: Read, { there, here }: Answers): Promise<Choice | null> {
  const [others, ours] = [candidatesAnswer.safeParse(there).data, candidatesAnswer.safeParse(here).data];
  const first = ours?.allocation_requests[0];
  if (!others || !ours || !first) return null;
  const wanted = canonical(first);
  const offers = (answer: Candidates) => answer.allocation_requests.some((one) => canonical(one) === wanted);
  const fits = offers(others) || (await isOffered(placement, read, { first, ours, offers }));
  return { fits, rank: rankOf(first, others), text: wanted };
}

/** Asks the other side for all its offers in the tree of a candidate. Null if it cannot be asked: a candidate with a sharing provider is in no single tree. */
async function isOffered(
  placement: PlacementClient,
  { path, query, version }: Read,
  { first, ours, offers }: { readonly first: Offer; readonly ours: Candidates; readonly offers: (answer: Candidates) => boolean },
): Promise<boolean | null> {
  const asked = new URLSearchParams(query);
  const suffix = [...asked.keys()].find((key) => key.startsWith('resources'))?.slice('resources'.length);
  if (suffix === undefined || asked.has(`in_tree${suffix}`) || Number(version.split('.')[1]) < 31) return null;
  const roots = new Set(Object.keys(first.allocations).map((uuid) => ours.provider_summaries[uuid]?.root_provider_uuid ?? uuid));
  const [root, ...others] = roots;
  if (root === undefined || others.length > 0) return null;
  asked.delete('limit');
  asked.set(`in_tree${suffix}`, root);
  const answer = await placement.get(`${path}?${asked}`, candidatesAnswer, version);
  return answer !== null && offers(answer);
}

function rankOf(first: Offer, others: Candidates): number | null {
  const fullnessOf = ({ allocations }: Offer): number =>
    Math.max(
      ...Object.entries(allocations).flatMap(([provider, { resources }]) =>
        Object.entries(resources).map(([resourceClass, amount]) => {
          const { capacity, used } = others.provider_summaries[provider]?.resources[resourceClass] ?? { capacity: 0, used: 0 };
          return (used + amount) / capacity;
        }),
      ),
    );
  const own = fullnessOf(first);
  const all = others.allocation_requests.map(fullnessOf);
  if (all.length === 0 || !Number.isFinite(own)) return null;
  return all.filter((fullness) => fullness > own).length / all.length;
}
