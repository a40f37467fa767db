// Asks for what has a text in its name, in the form that the caller may ask.
import { useAsk } from '../../data/queries.ts';
import { useReach } from '../../data/viewer.ts';
import type { Match } from './found.ts';
import { Search, SearchProject } from './search.generated.ts';

interface SearchOptions {
  /** Matches of each kind. */
  readonly first: number;
  /** Of a search box, which is no part of the page. */
  readonly isAside?: boolean;
}

/** `reach` is null until it is known; then nothing is asked yet. An empty text is not asked for. */
export function useSearchFor(text: string, { first, isAside = false }: SearchOptions) {
  const reach = useReach();
  const options = { isAside, keepsPrevious: isAside };
  const ofCloud = useAsk(Search, { text, first }, { ...options, enabled: text !== '' && reach === 'cloud' });
  const ofProject = useAsk(SearchProject, { text, first }, { ...options, enabled: text !== '' && reach === 'project' });
  const { data, error, dataUpdatedAt, refetch, isPlaceholderData } = reach === 'project' ? ofProject : ofCloud;
  const found = data && { truncated: data.search.truncated, matches: data.search.matches.filter(isKnown) };
  return { query: { data: found, error, dataUpdatedAt, refetch }, reach, isOld: isPlaceholderData };
}

/** Callers of a project are sent kinds without their fields. */
function isKnown(match: { readonly __typename: string }): match is Match {
  return 'uuid' in match || 'name' in match || 'externalId' in match;
}
