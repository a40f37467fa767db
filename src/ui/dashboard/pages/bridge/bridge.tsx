// The bridge to another Placement: which side leads, what is not carried over, what differs, and the commands of the next step.
import type { ReactNode } from 'react';
import { Bridge } from '../../data/bridge.generated.ts';
import { useAsk } from '../../data/queries.ts';
import { formatCount } from '../../formats/amounts.ts';
import { type BridgeState, BridgeWords } from '../../parts/bridge-words.tsx';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered, Placeholder } from '../../parts/states.tsx';

export default function BridgePage() {
  const query = useAsk(Bridge, {}, { everySeconds: 5 });
  return (
    <>
      <div className={layout.head}>
        <h1>Bridge</h1>
      </div>
      <Answered query={query} height="page">
        {({ bridge }) => (bridge === null ? <NoBridge /> : <Found bridge={bridge} />)}
      </Answered>
    </>
  );
}

function NoBridge() {
  return (
    <Placeholder title="There is no bridge to another Placement">
      <p>
        A gateway with the setting <code>PLACEMENT_IN_FRONT_OF</code> stands in front of a running Placement and follows it.
      </p>
    </Placeholder>
  );
}

function Found({ bridge }: { readonly bridge: BridgeState }) {
  const { url, mode, comparedAt, pendingCount, gatewayCount, differenceCount, differences, reads } = bridge;
  return (
    <>
      <p>
        <BridgeWords bridge={bridge} />
      </p>
      <p className={layout.facts}>
        {mode !== 'FOLLOWING' && (
          <span>
            the other Placement: <Name>{url}</Name>
          </span>
        )}
        <span>not carried over yet: {formatCount(pendingCount)}</span>
        <span>everything was compared: {comparedAt === null ? 'not yet' : <Moment at={comparedAt} />}</span>
        <span>gateways: {formatCount(gatewayCount)}</span>
      </p>
      <section className={layout.section} aria-label="Next step">
        <h2>Next step</h2>
        <NextStep bridge={bridge} />
      </section>
      <section className={layout.section} aria-label="Differences">
        <h2>Differences</h2>
        {differences.length === 0 ? (
          <p className={layout.muted}>The side that follows has refused nothing.</p>
        ) : (
          <>
            <p>
              The side that follows refuses these changes. They are tried again every ten seconds.
              {differences.length < differenceCount && ` The first ${differences.length} of ${formatCount(differenceCount)} are shown.`}
            </p>
            <DataTable title="differences" columns={columns} rows={differences} keyOf={({ noun, key }) => `${noun} ${key}`} />
          </>
        )}
      </section>
      {reads.length > 0 && (
        <section className={layout.section} aria-label="Reads">
          <h2>Reads</h2>
          <p>Both sides have answered these while the other Placement led.</p>
          <DataTable title="compared reads" columns={columnsOfReads} rows={reads} keyOf={({ route }) => route} />
        </section>
      )}
    </>
  );
}

type Difference = BridgeState['differences'][number];

const columns: readonly ShownColumn<Difference>[] = [
  { title: 'kind', value: ({ noun }) => noun.toLowerCase().replace('_', ' ') },
  { title: 'uuid or name', value: ({ key }) => key, show: ({ key }) => <Name>{key}</Name> },
  { title: 'why', value: ({ message }) => message, show: ({ message }) => <Name>{message}</Name> },
  { title: 'since', value: ({ foundAt }) => foundAt, show: ({ foundAt }) => <Moment at={foundAt} /> },
];

const columnsOfReads: readonly ShownColumn<BridgeState['reads'][number]>[] = [
  { title: 'route', value: ({ route }) => route },
  {
    title: 'compared',
    value: ({ comparedCount }) => comparedCount,
    show: ({ comparedCount }) => formatCount(comparedCount),
    isNumber: true,
  },
  {
    title: 'answered differently',
    value: ({ differingCount }) => differingCount,
    show: ({ differingCount }) => formatCount(differingCount),
    isNumber: true,
  },
  {
    title: 'the last difference',
    value: ({ lastDifference }) => lastDifference,
    show: ({ lastDifference }) => lastDifference && <Name>{lastDifference}</Name>,
  },
];

function NextStep({ bridge: { mode, switchBlockedBy, lossOnReturn } }: { readonly bridge: BridgeState }) {
  switch (mode) {
    case 'FOLLOWING':
      return (
        <>
          <Command name="lead">lets this ledger lead. From then on the other Placement gets each change.</Command>
          <Blocked by={switchBlockedBy} />
          <Command name="end">gives up: requests are only passed on, until clients are pointed at the other Placement again.</Command>
          <p className={layout.muted}>Until this ledger leads, the dashboard and GraphQL cannot write; clients write over REST.</p>
        </>
      );
    case 'LEADING':
      return (
        <>
          <Command name="follow">goes back: the other Placement leads again. {losses[String(lossOnReturn)]}</Command>
          <Blocked by={switchBlockedBy} />
          <Command name="end">parts with the other Placement, which then gets no more changes. There is no way back.</Command>
        </>
      );
    case 'PASSING':
      return <p>Point clients at the other Placement again, then stop the gateways.</p>;
    case 'ENDED':
      return (
        <p>
          Remove the other Placement, and the setting <code>PLACEMENT_IN_FRONT_OF</code>.
        </p>
      );
    default:
      return <p>A switch is in progress: it is done, or given up, within seconds.</p>;
  }
}

const losses: Readonly<Record<string, string>> = {
  true: 'Now it would lose what is not carried over yet, and the differences.',
  false: 'It would lose nothing.',
  null: 'What it would lose is known once everything is compared.',
};

function Command({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <p>
      <code>placement-gateway bridge {name}</code> {children}
    </p>
  );
}

function Blocked({ by }: { readonly by: string | null }) {
  return by === null ? (
    <p>It compares everything once more, which takes about as long as an import, and begins then.</p>
  ) : (
    <p className={layout.warning}>
      ▲ It waits as long as this keeps a switch from beginning: <Name>{by}</Name>.
    </p>
  );
}
