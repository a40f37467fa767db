// Whether the caller may do something, by the name of the rule in the documentation of each mutation.
import { useAsk } from '../data/queries.ts';
import { Rights } from './actions.generated.ts';

/** False while it is unknown: a button that appears late is better than one that is refused. */
export function useRight(rule: string): boolean {
  const { data } = useAsk(Rights, {}, { isAside: true });
  return data?.viewer?.rules.some(({ name }) => name === rule) ?? false;
}
