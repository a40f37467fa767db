// What has the searched text in its name, or is the searched uuid.
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
          Found for <Name>{text}</Name>
        </h1>
      </div>
      {text === '' ? (
        <p>Write a name, a uuid, a trait or a project into the search box.</p>
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
      <Part title="Providers">
        {of('ResourceProvider').map((provider) => (
          <li key={provider.uuid}>
            <ProviderLink provider={provider} />
            {provider.root.name !== provider.name && (
              <span className={layout.muted}>
                {' '}
                in <Name>{provider.root.name}</Name>
              </span>
            )}
          </li>
        ))}
      </Part>
      <Part title="Consumers">
        {of('Consumer').map(({ uuid, consumerType }) => (
          <li key={uuid}>
            <ConsumerLink uuid={uuid} /> <Name>{consumerType ?? ''}</Name>
          </li>
        ))}
      </Part>
      <Part title="Aggregates">
        {of('Aggregate').map(({ uuid, name }) => (
          <li key={uuid}>
            <Link href={`/hosts?in=${uuid}`}>
              <Name>{name ?? uuid}</Name>
            </Link>
          </li>
        ))}
      </Part>
      <Part title="Projects">
        {of('Project').map(({ externalId }) => (
          <li key={externalId}>
            <ProjectLink id={externalId} />
          </li>
        ))}
      </Part>
      <Part title="Classes">
        {of('ResourceClass').map(({ name }) => (
          <li key={name}>
            {isOfProject ? (
              <Name>{name}</Name>
            ) : (
              <Link href={`/hosts?${printQuery({ has: name })}`}>
                <Name>{name}</Name>
              </Link>
            )}
          </li>
        ))}
      </Part>
      <Part title="Traits">
        {of('Trait').map(({ name }) => (
          <li key={name}>
            <Link href={`/hosts?${printQuery({ trait: name })}`}>
              <Name>{name}</Name>
            </Link>
          </li>
        ))}
      </Part>
      {truncated && (
        <p className={layout.muted}>
          There is more: write more of the name
          {!isOfProject && (
            <>
              , or see <Link href={`/hosts?${printQuery({ q: text })}`}>all hosts with it</Link>
            </>
          )}
          .
        </p>
      )}
      {matches.length === 0 && <Nothing text={text} isOfProject={isOfProject} />}
      {isUuid(text) && <OfUuid uuid={text} isOfProject={isOfProject} />}
    </>
  );
}

function Nothing({ text, isOfProject }: { readonly text: string; readonly isOfProject: boolean }) {
  if (isUuid(text)) return <p>Nothing has this uuid now.</p>;
  return <p>{isOfProject ? 'Your project has no such name. Consumers are found by their uuids.' : 'Nothing has this in its name.'}</p>;
}

/** What is gone is found by its events. */
function OfUuid({ uuid, isOfProject }: { readonly uuid: string; readonly isOfProject: boolean }) {
  return (
    <p>
      Events about it{' '}
      {!isOfProject && (
        <>
          <Link href={`/events?${printQuery({ provider: uuid })}`}>as a provider</Link> or{' '}
        </>
      )}
      <Link href={`/consumers/${uuid}`}>as a consumer</Link>, also if it is gone
    </p>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section className={layout.section}>
      <h2>{title}</h2>
      <ul className={layout.links}>{children}</ul>
    </section>
  );
}
