// Hosts on which nothing new is placed.
import { ask } from '../data/ask.ts';
import { formatCount } from '../formats/amounts.ts';
import { slicesOf } from '../parts/grouped.ts';
import { SelectedProviders } from './actions.generated.ts';
import { mostNames } from './inventory-scope.ts';
import { disabledTrait } from './trait-draft.ts';

/** Those of these hosts that are disabled, by uuid. */
export async function disabledAmong(hosts: readonly string[]): Promise<ReadonlySet<string>> {
  const traits = [{ allOf: [disabledTrait] }];
  const answers = await Promise.all(
    slicesOf(hosts, mostNames).map((uuids) => ask(SelectedProviders, { filter: { uuids, traits }, first: mostNames })),
  );
  return new Set(answers.flatMap(({ resourceProviders }) => resourceProviders.nodes.map(({ uuid }) => uuid)));
}

/** "3 of these hosts are disabled." */
export const disabledWords = (count: number): string =>
  count === 1 ? '1 of these hosts is disabled.' : `${formatCount(count)} of these hosts are disabled.`;
