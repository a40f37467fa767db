// One provider with its tree, its consumers and its history.
import type { ReactNode } from 'react';
import { Link, useParams, useSearch } from 'wouter';
import { useAskAgain } from '../../data/live-queries.ts';
import { useAsk } from '../../data/queries.ts';
import { useTitle } from '../../data/title.ts';
import { providerAddress } from '../../formats/addresses.ts';
import { formatCount } from '../../formats/amounts.ts';
import { printQuery } from '../../formats/query-state.ts';
import { ProviderLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered, Placeholder } from '../../parts/states.tsx';
import { isUuid } from '../events/filter.ts';
import { Reservations } from '../usage/reservations.generated.ts';
import { UsageTrends } from '../usage/usage-trends.tsx';
import { ProviderConsumers, ProviderHistory } from './lists.tsx';
import { Promised, Provider, type ProviderPageFragment } from './provider.generated.ts';
import { TreeFiles } from './tree-files.tsx';
import { WholeTree } from './whole-tree.tsx';

const tabs = [
  ['tree', 'Tree'],
  ['consumers', 'Consumers'],
  ['history', 'History'],
  ['trends', 'Trends'],
] as const;

export default function ProviderPage() {
  const { name: text = '' } = useParams();
  const tab = new URLSearchParams(useSearch()).get('tab') ?? 'tree';
  const isKey = isUuid(text);
  const query = useAsk(Provider, { name: text, uuid: isKey ? text : null, isUuid: isKey });
  const label = tabs.find(([key]) => key === tab && key !== 'tree')?.[1];
  useTitle([(query.data?.byUuid ?? query.data?.byName)?.name ?? text, label].filter((part) => part !== undefined).join(', '));
  return (
    <Answered query={query} height="page">
      {({ byUuid, byName }) => {
        const provider = byUuid ?? byName;
        return provider ? <Found provider={provider} tab={tab} /> : <Missing text={text} />;
      }}
    </Answered>
  );
}

function Missing({ text }: { readonly text: string }) {
  const history = isUuid(text) ? `/events?${printQuery({ provider: text })}` : '/events?kind=DELETE_RESOURCE_PROVIDER';
  return (
    <Placeholder
      title={
        <>
          <Name>{text}</Name> does not exist
        </>
      }
    >
      <p>
        No provider has this {isUuid(text) ? 'uuid' : 'name'} now. <Link href={history}>What happened to it?</Link>{' '}
        <Link href={`/search?${printQuery({ q: text })}`}>Search for it</Link>
      </p>
    </Placeholder>
  );
}

function Found({ provider, tab }: { readonly provider: ProviderPageFragment; readonly tab: string }) {
  const { root, sharedPools } = provider;
  useAskAgain([Provider, Promised, Reservations], { inTrees: [root.uuid] });
  const members = [root, ...root.descendants];
  return (
    <>
      <Head provider={provider} memberCount={members.length}>
        <TreeFiles members={members} pools={sharedPools} />
      </Head>
      <nav className={layout.tabs} aria-label="Parts of this page">
        {tabs.map(([key, label]) => (
          <Link
            key={key}
            href={`${providerAddress(provider)}${key === 'tree' ? '' : `?tab=${key}`}`}
            aria-current={tab === key ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {tab === 'consumers' && <ProviderConsumers provider={provider} />}
      {tab === 'history' && <ProviderHistory provider={provider} />}
      {tab === 'trends' && <UsageTrends key={provider.uuid} of={{ tree: provider.uuid }} />}
      {tab !== 'consumers' && tab !== 'history' && tab !== 'trends' && <WholeTree provider={provider} />}
    </>
  );
}

interface HeadProps {
  readonly provider: ProviderPageFragment;
  readonly memberCount: number;
  readonly children: ReactNode;
}

/** The zone before the rack: the one with most hosts first. */
const bySize = (groups: ProviderPageFragment['root']['aggregates']) =>
  groups.toSorted((a, b) => b.rootCount - a.rootCount || (a.name < b.name ? -1 : 1));

function Head({ provider, memberCount, children }: HeadProps) {
  const { uuid, name, generation, updatedAt, isSharing, ancestors, root } = provider;
  return (
    <>
      <nav aria-label="Where it is">
        <ol className={layout.crumbs}>
          <li>
            <Link href="/">Cloud</Link>
          </li>
          {bySize(root.aggregates).map((aggregate) => (
            <li key={aggregate.uuid}>
              <Link href={`/?${printQuery({ in: aggregate.name })}`}>
                <Name>{aggregate.name}</Name>
              </Link>
            </li>
          ))}
          {ancestors.map((ancestor) => (
            <li key={ancestor.uuid}>
              <ProviderLink provider={ancestor} />
            </li>
          ))}
        </ol>
      </nav>
      <div className={layout.head}>
        <h1>
          <Name>{name}</Name>
        </h1>
        {children}
      </div>
      <p className={layout.facts}>
        {isSharing && <span>a shared pool</span>}
        <span>generation {formatCount(generation)}</span>
        <span>{memberCount === 1 ? 'alone in its tree' : `${formatCount(memberCount)} in its tree`}</span>
        <span>
          changed <Moment at={updatedAt} />
        </span>
        <code>{uuid}</code>
      </p>
    </>
  );
}
