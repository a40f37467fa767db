// Everything with the searched text in its name or as its uuid.
import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { useAsk } from '../../data/queries.ts';
import { useReach } from '../../data/viewer.ts';
import { printQuery } from '../../formats/query-state.ts';
import { ConsumerLink, ProjectLink, ProviderLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered, Loading } from '../../parts/states.tsx';
import { isUuid } from '../events/filter.ts';
import { Search, SearchProject, type SearchQuery } from './search.generated.ts';

type Match = SearchQuery['search']['matches'][number];
type MatchOf<Kind extends Match['__typename']> = Extract<Match, { readonly __typename: Kind }>;

export default function SearchPage() {
  const reach = useReach();
  const text = (new URLSearchParams(useSearch()).get('q') ?? '').trim();
  return (
    <>
      <div className={layout.head}>
        <h1>
          Results for <Name>{text}</Name>
        </h1>
      </div>
      {text === '' ? (
        <p>Type a name, a uuid, a trait or a project into the search box.</p>
      ) : reach === null ? (
        <Loading />
      ) : reach === 'project' ? (
        <OfProject text={text} />
      ) : (
        <OfCloud text={text} />
      )}
    </>
  );
}

function OfCloud({ text }: { readonly text: string }) {
  const query = useAsk(Search, { text });
  return <Answered query={query}>{({ search }) => <Found text={text} {...search} />}</Answered>;
}

function OfProject({ text }: { readonly text: string }) {
  const query = useAsk(SearchProject, { text });
  return (
    <Answered query={query}>
      {({ search: { matches, truncated } }) => (
        <Found
          text={text}
          truncated={truncated}
          matches={matches.flatMap((match) =>
            match.__typename === 'Consumer' || match.__typename === 'Project' || match.__typename === 'ResourceClass' ? [match] : [],
          )}
          isOfProject
        />
      )}
    </Answered>
  );
}

interface FoundProps {
  readonly text: string;
  readonly matches: readonly Match[];
  readonly truncated: boolean;
  readonly isOfProject?: boolean;
}

function Found({ text, matches, truncated, isOfProject = false }: FoundProps) {
  const of = <Kind extends Match['__typename']>(kind: Kind) => matches.filter((match): match is MatchOf<Kind> => match.__typename === kind);
  return (
    <>
      <Part title="Providers" matches={of('ResourceProvider')} keyOf={({ uuid }) => uuid}>
        {(provider) => <FoundProvider provider={provider} />}
      </Part>
      <Part title="Consumers" matches={of('Consumer')} keyOf={({ uuid }) => uuid}>
        {({ uuid, consumerType }) => (
          <>
            <ConsumerLink uuid={uuid} /> <Name>{consumerType ?? ''}</Name>
          </>
        )}
      </Part>
      <Part title="Aggregates" matches={of('Aggregate')} keyOf={({ uuid }) => uuid}>
        {({ uuid, name }) => <HostsLink query={{ in: uuid }} name={name ?? uuid} />}
      </Part>
      <Part title="Projects" matches={of('Project')} keyOf={({ externalId }) => externalId}>
        {({ externalId }) => <ProjectLink id={externalId} />}
      </Part>
      <Part title="Classes" matches={of('ResourceClass')} keyOf={({ name }) => name}>
        {({ name }) => (isOfProject ? <Name>{name}</Name> : <HostsLink query={{ has: name }} name={name} />)}
      </Part>
      <Part title="Traits" matches={of('Trait')} keyOf={({ name }) => name}>
        {({ name }) => <HostsLink query={{ trait: name }} name={name} />}
      </Part>
      {truncated && <Truncated text={text} isOfProject={isOfProject} />}
      {matches.length === 0 && <Nothing text={text} isOfProject={isOfProject} />}
      {isUuid(text) && <OfUuid uuid={text} isOfProject={isOfProject} />}
    </>
  );
}

interface PartProps<Kind extends Match> {
  readonly title: string;
  readonly matches: readonly Kind[];
  readonly keyOf: (match: Kind) => string;
  readonly children: (match: Kind) => ReactNode;
}

function Part<Kind extends Match>({ title, matches, keyOf, children }: PartProps<Kind>) {
  if (matches.length === 0) return null;
  return (
    <section className={layout.section}>
      <h2>{title}</h2>
      <ul className={layout.links}>
        {matches.map((match) => (
          <li key={keyOf(match)}>{children(match)}</li>
        ))}
      </ul>
    </section>
  );
}

function FoundProvider({ provider }: { readonly provider: MatchOf<'ResourceProvider'> }) {
  const { name, root } = provider;
  return (
    <>
      <ProviderLink provider={provider} />
      {root.name !== name && (
        <span className={layout.muted}>
          {' '}
          in <Name>{root.name}</Name>
        </span>
      )}
    </>
  );
}

/** The table of hosts, filtered. */
function HostsLink({ query, name }: { readonly query: Readonly<Record<string, string>>; readonly name: string }) {
  return (
    <Link href={`/hosts?${printQuery(query)}`}>
      <Name>{name}</Name>
    </Link>
  );
}

function Truncated({ text, isOfProject }: { readonly text: string; readonly isOfProject: boolean }) {
  return (
    <p className={layout.muted}>
      There is more: type more of the name
      {!isOfProject && (
        <>
          , or see <Link href={`/hosts?${printQuery({ q: text })}`}>all hosts that match</Link>
        </>
      )}
      .
    </p>
  );
}

function Nothing({ text, isOfProject }: { readonly text: string; readonly isOfProject: boolean }) {
  if (isUuid(text)) return <p>Nothing has this uuid now.</p>;
  return (
    <p>{isOfProject ? 'Nothing in your project has this name. Search for consumers by their uuids.' : 'Nothing has this in its name.'}</p>
  );
}

/** Deleted things are found by their events. */
function OfUuid({ uuid, isOfProject }: { readonly uuid: string; readonly isOfProject: boolean }) {
  return (
    <p>
      Events about it{' '}
      {!isOfProject && (
        <>
          <Link href={`/events?${printQuery({ provider: uuid })}`}>as a provider</Link> or{' '}
        </>
      )}
      <Link href={`/consumers/${uuid}`}>as a consumer</Link>, even if it is gone
    </p>
  );
}
