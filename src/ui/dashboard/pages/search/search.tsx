// Everything with the searched text in its name or as its uuid.
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useTitle } from '../../data/title.ts';
import { printQuery } from '../../formats/query-state.ts';
import { ConsumerLink, ProjectLink, ProviderLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered } from '../../parts/states.tsx';
import { isUuid } from '../events/filter.ts';
import { addressOf, exactMatch, type Match, type MatchOf } from './found.ts';
import { useSearchFor } from './use-search.ts';

const ofEachKind = 20;

export default function SearchPage() {
  const [, navigate] = useLocation();
  const parameters = new URLSearchParams(useSearch());
  const text = (parameters.get('q') ?? '').trim();
  // Entered in the search box: then the whole name of a host, say, leads to that host.
  const isEntered = parameters.get('go') === '1';
  const { query, reach } = useSearchFor(text, { first: ofEachKind });
  useTitle(`Results for ${text}`);
  const found = query.data;
  useEffect(() => {
    if (!isEntered || found === undefined) return;
    const exact = exactMatch(text, found.matches);
    navigate(exact ? addressOf(exact) : `/search?${printQuery({ q: text })}`, { replace: true });
  }, [isEntered, found, text, navigate]);
  return (
    <>
      {!isEntered && (
        <div className={layout.head}>
          <h1>
            Results for <Name>{text}</Name>
          </h1>
        </div>
      )}
      {text === '' ? (
        <p>Type a name, a uuid, a trait or a project into the search box.</p>
      ) : (
        <Answered query={query}>{(found) => !isEntered && <Found text={text} {...found} isOfProject={reach === 'project'} />}</Answered>
      )}
    </>
  );
}

interface FoundProps {
  readonly text: string;
  readonly matches: readonly Match[];
  readonly truncated: boolean;
  readonly isOfProject: boolean;
}

function Found({ text, matches, truncated, isOfProject }: FoundProps) {
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
        {(aggregate) => <HostsLink of={aggregate} />}
      </Part>
      <Part title="Projects" matches={of('Project')} keyOf={({ externalId }) => externalId}>
        {({ externalId }) => <ProjectLink id={externalId} />}
      </Part>
      <Part title="Classes" matches={of('ResourceClass')} keyOf={({ name }) => name}>
        {(resourceClass) => (isOfProject ? <Name>{resourceClass.name}</Name> : <HostsLink of={resourceClass} />)}
      </Part>
      <Part title="Traits" matches={of('Trait')} keyOf={({ name }) => name}>
        {(trait) => <HostsLink of={trait} />}
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
function HostsLink({ of }: { readonly of: MatchOf<'Aggregate' | 'ResourceClass' | 'Trait'> }) {
  return (
    <Link href={addressOf(of)}>
      <Name>{of.name}</Name>
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
