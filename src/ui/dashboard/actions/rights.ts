// Whether the caller may do something, by the name of the rule that the documentation of each mutation gives.
import { useAsk } from '../data/queries.ts';
import { Rights } from './actions.generated.ts';

/** False also while it is not known: a button that appears late is better than one that refuses. */
export function useRight(rule: string): boolean {
  const { data } = useAsk(Rights, {}, { isAside: true });
  return data?.viewer?.rules.some(({ name }) => name === rule) ?? false;
}
