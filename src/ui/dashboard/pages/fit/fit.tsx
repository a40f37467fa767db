// What fits? The address holds a request for resources; the page says how many more such requests fit and where, or why none does.
import { useMemo } from 'react';
import { useLocation, useSearch, useSearchParams } from 'wouter';
import { bounds } from '../../data/bounds.ts';
import { useAsk } from '../../data/queries.ts';
import { useReach } from '../../data/viewer.ts';
import layout from '../../parts/page.module.css';
import { Answered, Loading } from '../../parts/states.tsx';
import { ByHost } from './by-host.tsx';
import { Candidates, candidatesShown, orderOf } from './candidates.tsx';
import { NamesInUse, WhatFits, type WhatFitsQuery } from './fit.generated.ts';
import styles from './fit.module.css';
import { FlavorPaste } from './flavor-paste.tsx';
import { OneFits } from './one-fits.tsx';
import { QueryBox } from './query-box.tsx';
import { candidatesInput, type FitRequest, parseFit, printFit } from './request.ts';
import { RequestForm } from './request-form.tsx';
import { WhyNothing } from './why-nothing.tsx';
import { WithinQuotas } from './within-quotas.tsx';
import { Zones } from './zones.tsx';

export default function FitPage() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const { request, key } = useMemo(() => {
    const request = parseFit(search);
    return { request, key: printFit(request) };
  }, [search]);
  const names = useAsk(NamesInUse, {}, { enabled: useReach() === 'cloud' });
  const choose = (next: FitRequest) => navigate(`/fit?${printFit(next)}`);
  return (
    <>
      <div className={layout.head}>
        <h1>What fits?</h1>
      </div>
      <div className={styles.sides}>
        <div>
          <RequestForm key={key} request={request} names={names.data ?? null} onChoose={choose} />
          <FlavorPaste onRequest={(next) => choose({ ...next, project: request.project })} />
        </div>
        <section aria-label="What fits" className={styles.result}>
          {request.groups.some(({ resources }) => resources.length > 0) ? (
            <Asked request={request} onChoose={choose} />
          ) : (
            <p className={layout.muted}>Ask for resources to see how many more such requests fit and where, or why none does.</p>
          )}
        </section>
      </div>
    </>
  );
}

function Asked(props: ResultProps) {
  const reach = useReach();
  if (reach === null) return <Loading />;
  return reach === 'cloud' ? <Result {...props} /> : <OneFits request={props.request} />;
}

interface ResultProps {
  readonly request: FitRequest;
  readonly onChoose: (request: FitRequest) => void;
}

function Result({ request, onChoose }: ResultProps) {
  const [parameters, setParameters] = useSearchParams();
  const classKey = [...new Set(request.groups.flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass)))].join(',');
  const classes = useMemo(() => classKey.split(','), [classKey]);
  const sort = parameters.get('sort') ?? '';
  const input = candidatesInput(request);
  const tried = { ...input, limit: candidatesShown, perRootLimit: 1, ...orderOf(sort, classes) };
  const query = useAsk(
    WhatFits,
    { input, tried },
    { keepsPrevious: (previous) => JSON.stringify(previous.input) === JSON.stringify(input) },
  );
  const sortBy = (next: string) =>
    setParameters((old) => {
      const now = new URLSearchParams(old);
      now.delete('sort');
      if (next !== '') now.set('sort', next);
      return now;
    });
  return (
    <>
      <Answered query={query} height="list">
        {({ fit, allocationCandidates }) => (
          <>
            <Verdict fit={fit} />
            {request.project !== '' && <WithinQuotas request={request} />}
            {allocationCandidates.candidates.length === 0 ? (
              <WhyNothing request={request} onChoose={onChoose} />
            ) : (
              <>
                <Zones
                  counts={fit.byAggregate.nodes}
                  areAll={!fit.truncated && !fit.byAggregate.pageInfo.hasNextPage}
                  classes={classes.slice(0, bounds.mapClasses)}
                />
                <Candidates found={allocationCandidates} classes={classes} sort={sort} onSort={sortBy} />
                <ByHost byRoot={fit.byRoot} />
              </>
            )}
          </>
        )}
      </Answered>
      <QueryBox request={request} />
    </>
  );
}

function Verdict({ fit: { total, exact } }: { readonly fit: WhatFitsQuery['fit'] }) {
  return (
    <p className={styles.verdict} role="status">
      {total === 0 ? (
        <strong>None fits.</strong>
      ) : (
        <>
          <strong>
            {exact ? '' : 'At least '}
            {total.toLocaleString('en')}
          </strong>{' '}
          more {total === 1 ? 'fits' : 'fit'}, claimed one after another.
        </>
      )}
    </p>
  );
}
