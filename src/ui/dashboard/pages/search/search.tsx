// What has the searched text in its name, or is the searched uuid.
import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { useAsk } from '../../data/queries.ts';
import { formatCount } from '../../formats/amounts.ts';
import { Name } from '../../name.tsx';
import { ConsumerLink, ProjectLink, ProviderLink } from '../../parts/links.tsx';
import layout from '../../parts/page.module.css';
import { Answered } from '../../states.tsx';
import { isUuid } from '../events/filter.ts';
import { printQuery } from '../query-state.ts';
import { useReach } from '../reach.ts';
import { SearchNames, type SearchNamesQuery, SearchProject, SearchUuid } from './search.generated.ts';

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
      ) : reach === 'project' ? (
        <OfProject text={text} />
      ) : isUuid(text) ? (
        <ByUuid uuid={text} />
      ) : (
        <ByName text={text} />
      )}
    </>
  );
}

/** Those who see only their own project can look up a consumer of it, and its name. */
function OfProject({ text }: { readonly text: string }) {
  const query = useAsk(SearchProject, { text });
  return (
    <Answered query={query}>
      {({ project }) => (
        <ul className={layout.links}>
          {project && (
            <li>
              project <ProjectLink id={project.externalId} />
            </li>
          )}
          {isUuid(text) && (
            <li>
              consumer <ConsumerLink uuid={text} />
            </li>
          )}
          {project === null && !isUuid(text) && <li>Your project has no such name. Consumers are found by their uuids.</li>}
        </ul>
      )}
    </Answered>
  );
}

function ByUuid({ uuid }: { readonly uuid: string }) {
  const query = useAsk(SearchUuid, { uuid });
  return (
    <Answered query={query}>
      {({ resourceProvider, consumer, aggregate }) => (
        <ul className={layout.links}>
          {resourceProvider && (
            <li>
              provider <ProviderLink provider={resourceProvider} />
            </li>
          )}
          {consumer && (
            <li>
              consumer <ConsumerLink uuid={consumer.uuid} /> <Name>{consumer.consumerType ?? ''}</Name>
            </li>
          )}
          {aggregate && (
            <li>
              aggregate{' '}
              <Link href={`/hosts?in=${aggregate.uuid}`}>
                <Name>{aggregate.name}</Name>
              </Link>
            </li>
          )}
          <li>
            <Link href={`/events?${printQuery({ provider: uuid })}`}>Events about it as a provider</Link>,{' '}
            <Link href={`/consumers/${uuid}`}>as a consumer</Link>, also if it is gone
          </li>
        </ul>
      )}
    </Answered>
  );
}

function ByName({ text }: { readonly text: string }) {
  // Traits are written in capitals, whoever types them.
  const query = useAsk(SearchNames, { text, trait: text.toUpperCase() });
  return <Answered query={query}>{(found) => <FoundNames text={text} found={found} />}</Answered>;
}

function FoundNames({
  text,
  found: { resourceProviders, traits, aggregates, project },
}: {
  readonly text: string;
  readonly found: SearchNamesQuery;
}) {
  const isEmpty = resourceProviders.nodes.length + traits.nodes.length + aggregates.nodes.length === 0 && project === null;
  if (isEmpty) return <p>Nothing has this in its name.</p>;
  return (
    <>
      <Part title={`${formatCount(resourceProviders.totalCount)} providers`} isEmpty={resourceProviders.nodes.length === 0}>
        {resourceProviders.nodes.map((provider) => (
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
        {resourceProviders.totalCount > resourceProviders.nodes.length && (
          <li className={layout.muted}>
            <Link href={`/hosts?${printQuery({ q: text })}`}>All hosts with it</Link>
          </li>
        )}
      </Part>
      <Part title="Projects" isEmpty={project === null}>
        {project && (
          <li>
            <ProjectLink id={project.externalId} />
          </li>
        )}
      </Part>
      <Part title="Aggregates" isEmpty={aggregates.nodes.length === 0}>
        {aggregates.nodes.map(({ uuid, name }) => (
          <li key={uuid}>
            <Link href={`/hosts?in=${uuid}`}>
              <Name>{name}</Name>
            </Link>
          </li>
        ))}
      </Part>
      <Part title="Traits" isEmpty={traits.nodes.length === 0}>
        {traits.nodes.map(({ name }) => (
          <li key={name}>
            <Link href={`/hosts?${printQuery({ trait: name })}`}>
              <Name>{name}</Name>
            </Link>
          </li>
        ))}
      </Part>
    </>
  );
}

function Part({ title, isEmpty, children }: { readonly title: string; readonly isEmpty: boolean; readonly children: ReactNode }) {
  if (isEmpty) return null;
  return (
    <section className={layout.section}>
      <h2>{title}</h2>
      <ul className={layout.links}>{children}</ul>
    </section>
  );
}
