// What reservations keep of a cloud, of a tree or for a project: a band of each class from now on, and the reservations themselves.
import { type ReactNode, useMemo, useState } from 'react';
import { exactAmount, formatAmount } from '../../formats/amounts.ts';
import { exactMoment } from '../../formats/moments.ts';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { ProjectLink, ProviderLink } from '../../parts/links.tsx';
import { useNow } from '../../parts/moment.tsx';
import layout from '../../parts/page.module.css';
import { Resources, resourceList, resourceText } from '../../parts/resources.tsx';
import { bandOf, bandsOf, bandWords, dateOf, placeIn, stepWords } from './band-model.ts';
import { isSpan, type Step, spanNames } from './band-steps.ts';
import type { ReservationRow, useReservations } from './kept.ts';
import { useParameters } from './parameters.ts';
import { Plot } from './plot.tsx';
import styles from './usage.module.css';

interface ReservationsProps {
  readonly read: ReturnType<typeof useReservations>;
  readonly heading: string;
  /** The columns that say whose it is, or where. */
  readonly columns: readonly ('project' | 'hosts')[];
  /** Of each class; omitted where nothing is compared. */
  readonly capacities?: ReadonlyMap<string, number>;
  /** What else is to be known of the amounts. */
  readonly children?: ReactNode;
}

const noCapacities: ReadonlyMap<string, number> = new Map();
/** The longest list that is open at first. */
const rowsInView = 10;

/** Nothing if there are none. The address has how far ahead the bands go. */
export function ReservationsSection({ read, heading, columns, capacities = noCapacities, children }: ReservationsProps) {
  const { rows, totalCount, error } = read;
  const now = useNow();
  const [moment, setMoment] = useState<number | null>(null);
  const [parameters, setParameter] = useParameters();
  const ahead = parameters.get('ahead');
  const span = isSpan(ahead) ? ahead : null;
  const { bands, beyond } = useMemo(() => bandsOf(rows, now, span), [rows, now, span]);
  if (error !== null && rows.length === 0) return <p role="alert">The reservations cannot be shown: {error.message}</p>;
  if (rows.length === 0) return null;
  const isPart = totalCount > rows.length;
  return (
    <section className={layout.section} aria-labelledby="reservations">
      <div className={layout.head}>
        <h2 id="reservations" tabIndex={-1}>
          {heading}
        </h2>
        <fieldset className={`${layout.buttons} ${styles.ranges}`} aria-label="Time ahead">
          {spanNames.map((name) => (
            <button key={name} type="button" aria-pressed={name === span} onClick={() => setParameter('ahead', name)}>
              next {name}
            </button>
          ))}
          <button type="button" aria-pressed={span === null} onClick={() => setParameter('ahead', null)}>
            all
          </button>
        </fieldset>
      </div>
      <p className={layout.muted}>
        <span className={styles.running} /> <strong>Kept</strong> by reservations that run, <span className={styles.later} /> by those that
        begin later: both with what is already claimed of them. {children}
      </p>
      {(isPart || beyond !== '') && (
        <p className={layout.muted}>
          {isPart && `Only the first ${rows.length} of ${totalCount.toLocaleString('en')} reservations are shown, by their beginning. `}
          {beyond}
        </p>
      )}
      <div className={styles.charts}>
        {bands.map((band) => (
          <Band
            key={band.resourceClass}
            {...band}
            capacity={capacities.get(band.resourceClass) ?? 0}
            moment={moment}
            onMoment={setMoment}
          />
        ))}
      </div>
      <Steps bands={bands} />
      <details open={rows.length <= rowsInView}>
        <summary>{rows.length === 1 ? '1 reservation' : `${rows.length} reservations`}</summary>
        <DataTable
          title="reservations"
          columns={columnsOf(columns.filter((one) => one !== 'hosts' || rows.some(({ hosts }) => hosts)))}
          rows={rows}
          keyOf={({ uuid }) => uuid}
        />
      </details>
    </section>
  );
}

interface BandProps {
  readonly resourceClass: string;
  readonly steps: readonly Step[];
  /** 0 for none. */
  readonly capacity: number;
  readonly moment: number | null;
  readonly onMoment: (moment: number | null) => void;
}

function Band({ resourceClass, steps, capacity, moment, onMoment }: BandProps) {
  const model = useMemo(() => bandOf(steps, capacity, resourceClass), [steps, capacity, resourceClass]);
  const place = moment === null ? 0 : placeIn(steps, moment);
  const shown = steps[place] as Step;
  const words = stepWords(shown, capacity, resourceClass);
  return (
    <figure className={styles.chart} aria-label={`${resourceClass} kept`}>
      <figcaption>
        <strong>{resourceClass}</strong> {bandWords(steps, capacity, resourceClass)}
      </figcaption>
      <Plot
        title={`${resourceClass} kept`}
        scales={model}
        moments={steps.map(({ at }) => at)}
        place={place}
        words={words}
        cursor={moment === null ? null : [shown.at, shown.until]}
        onMoment={onMoment}
      >
        <Areas model={model} />
      </Plot>
      <p className={styles.quiet}>{moment === null ? axisWords(capacity) : words}</p>
    </figure>
  );
}

const axisWords = (capacity: number) =>
  capacity > 0 ? 'The axis begins at zero. The plain line is the capacity.' : 'The axis begins at zero.';

function Areas({ model: { kept, running, line, capacity } }: { readonly model: ReturnType<typeof bandOf> }) {
  return (
    <>
      <path className={styles.band} d={kept} />
      <path className={styles.band} d={running} />
      {capacity && <path className={styles.capacity} d={capacity} />}
      <path className={styles.use} d={line} />
    </>
  );
}

/** All that the bands show, for screen readers and spreadsheets. */
function Steps({ bands }: Pick<ReturnType<typeof bandsOf>, 'bands'>) {
  const [isOpen, setOpen] = useState(false);
  const rows = bands.flatMap(({ resourceClass, steps }) => steps.map((step) => ({ resourceClass, ...step })));
  type Row = (typeof rows)[number];
  const amount = (title: string, of: (row: Row) => number): ShownColumn<Row> => ({
    ...{ title, value: of, isNumber: true },
    show: (row) => <span title={exactAmount(of(row), row.resourceClass)}>{formatAmount(of(row), row.resourceClass)}</span>,
  });
  const columns: readonly ShownColumn<Row>[] = [
    { title: 'class', value: ({ resourceClass }) => resourceClass },
    momentColumn('from', ({ at }) => new Date(at).toISOString()),
    momentColumn('to', ({ until }) => new Date(until).toISOString()),
    amount('kept', ({ running, later }) => running + later),
    amount('of it by what runs', ({ running }) => running),
  ];
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The amounts kept as a table</summary>
      {isOpen && (
        <DataTable title="amounts kept" columns={columns} rows={rows} keyOf={({ resourceClass, at }) => `${resourceClass} ${at}`} />
      )}
    </details>
  );
}

function momentColumn<Row>(title: string, momentIn: (row: Row) => string, note: (row: Row) => string = () => ''): ShownColumn<Row> {
  return {
    ...{ title, value: momentIn },
    show: (row) => (
      <>
        <time className={styles.when} dateTime={momentIn(row)} title={exactMoment(momentIn(row))}>
          {dateOf(momentIn(row))}
        </time>
        {note(row) && <span className={layout.muted}> · {note(row)}</span>}
      </>
    ),
  };
}

const places: Readonly<Record<'project' | 'hosts', ShownColumn<ReservationRow>>> = {
  project: {
    ...{ title: 'project', value: ({ project }) => project.externalId },
    show: ({ project }) => <ProjectLink id={project.externalId} />,
  },
  hosts: {
    ...{ title: 'hosts', value: ({ hosts }) => (hosts ?? []).map(({ name }) => name).join(' '), inJson: ({ hosts }) => hosts },
    show: ({ hosts }) => <Hosts hosts={hosts ?? []} />,
  },
};

/** Hosts of a row that are named before the others are counted. */
const hostsNamed = 3;

function Hosts({ hosts }: { readonly hosts: NonNullable<ReservationRow['hosts']> }) {
  return (
    <>
      {hosts.slice(0, hostsNamed).map((host, place) => (
        <span key={host.uuid}>
          {place > 0 && ', '}
          <ProviderLink provider={host} />
        </span>
      ))}
      {hosts.length > hostsNamed && (
        <span className={layout.muted} title={hosts.map(({ name }) => name).join(', ')}>
          {` and ${hosts.length - hostsNamed} more`}
        </span>
      )}
    </>
  );
}

const columnsOf = (whose: readonly ('project' | 'hosts')[]): readonly ShownColumn<ReservationRow>[] => [
  { title: 'reservation', value: ({ uuid }) => uuid, show: ({ uuid }) => <code title={uuid}>{uuid.slice(0, 8)}…</code> },
  ...whose.map((one) => places[one]),
  momentColumn(
    'from',
    ({ startsAt }) => startsAt,
    ({ hasBegun }) => (hasBegun ? 'runs' : ''),
  ),
  momentColumn('to', ({ endsAt }) => endsAt),
  resourceColumn('keeps', ({ keeps }) => keeps),
  resourceColumn('claimed of it', ({ claimed }) => claimed),
];

function resourceColumn(title: string, heldBy: (row: ReservationRow) => ReservationRow['keeps']): ShownColumn<ReservationRow> {
  return {
    ...{ title, value: (row) => resourceText(heldBy(row)), inJson: (row) => resourceList(heldBy(row)) },
    show: (row) => <Resources resources={heldBy(row)} />,
  };
}
