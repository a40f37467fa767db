// What fits? The address holds a request for resources; the page says how many more such requests fit and where, or why none does.
import { useLocation, useSearch } from 'wouter';
import { useAsk } from '../../data/queries.ts';
import layout from '../../parts/page.module.css';
import { Answered } from '../../parts/states.tsx';
import { NamesInUse, WhatFits, type WhatFitsQuery } from './fit.generated.ts';
import styles from './fit.module.css';
import { FlavorPaste } from './flavor-paste.tsx';
import { Places } from './places.tsx';
import { QueryBox } from './query-box.tsx';
import { candidatesInput, type FitRequest, parseFit, printFit } from './request.ts';
import { RequestForm } from './request-form.tsx';
import { WhyNothing } from './why-nothing.tsx';

export default function FitPage() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const request = parseFit(search);
  const names = useAsk(NamesInUse, {});
  const choose = (next: FitRequest) => navigate(`/fit?${printFit(next)}`);
  return (
    <>
      <div className={layout.head}>
        <h1>What fits?</h1>
      </div>
      <div className={styles.sides}>
        <div>
          <RequestForm key={search} request={request} names={names.data ?? null} onChoose={choose} />
          <FlavorPaste onRequest={choose} />
        </div>
        <section aria-label="What fits" className={styles.result}>
          {request.groups.some(({ resources }) => resources.length > 0) ? (
            <Result request={request} onChoose={choose} />
          ) : (
            <p className={layout.muted}>Ask for resources to see how many more such requests fit and where, or why none does.</p>
          )}
        </section>
      </div>
    </>
  );
}

interface ResultProps {
  readonly request: FitRequest;
  readonly onChoose: (request: FitRequest) => void;
}

function Result({ request, onChoose }: ResultProps) {
  const query = useAsk(WhatFits, { input: candidatesInput(request) });
  return (
    <>
      <Answered query={query} height="list">
        {(found) => (
          <>
            <Verdict fit={found.fit} />
            {found.allocationCandidates.candidates.length === 0 ? (
              <WhyNothing request={request} onChoose={onChoose} />
            ) : (
              <Places found={found} />
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
