// What a search has found: where each match leads, and which match is meant by its whole name.
import { providerAddress } from '../../formats/addresses.ts';
import { printQuery } from '../../formats/query-state.ts';
import type { SearchQuery } from './search.generated.ts';

export type Match = SearchQuery['search']['matches'][number];
export type MatchOf<Kind extends Match['__typename']> = Extract<Match, { readonly __typename: Kind }>;

/** Its name, or the uuid of what has no name. */
export function nameOf(match: Match): string {
  if (match.__typename === 'Consumer') return match.uuid;
  return match.__typename === 'Project' ? match.externalId : match.name;
}

/** The address of its page, or of the table of hosts that have it. */
export function addressOf(match: Match): string {
  switch (match.__typename) {
    case 'ResourceProvider':
      return providerAddress(match);
    case 'Consumer':
      return `/consumers/${match.uuid}`;
    case 'Project':
      return `/projects/${encodeURIComponent(match.externalId)}`;
    case 'Aggregate':
      return `/hosts?${printQuery({ in: match.uuid })}`;
    case 'ResourceClass':
      return `/hosts?${printQuery({ has: match.name })}`;
    case 'Trait':
      return `/hosts?${printQuery({ trait: match.name })}`;
  }
}

const withOwnPage: ReadonlySet<string> = new Set(['ResourceProvider', 'Consumer', 'Project']);

/** The provider, consumer or project that has exactly this name or uuid; null if there is none, or if other things have it, too. */
export function exactMatch(text: string, matches: readonly Match[]): Match | null {
  const wanted = text.trim().toLowerCase();
  const [found, ...others] = matches.filter((match) => {
    const names = 'uuid' in match ? [nameOf(match), match.uuid] : [nameOf(match)];
    return names.some((name) => name.toLowerCase() === wanted);
  });
  return found !== undefined && others.length === 0 && withOwnPage.has(found.__typename) ? found : null;
}
