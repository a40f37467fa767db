// Why nothing fits: the conditions that ruled the trees out, and changes that would help, each to try with one press.
import { bounds } from '../../data/bounds.ts';
import { useAsk } from '../../data/queries.ts';
import { formatCount } from '../../formats/amounts.ts';
import { visible } from '../../formats/names.ts';
import { funnelOf } from '../../parts/funnel-model.ts';
import { ProviderLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { Answered } from '../../parts/states.tsx';
import { WhyNot, type WhyNotQuery } from './fit.generated.ts';
import styles from './fit.module.css';
import { without } from './help.ts';
import { Largest } from './largest.tsx';
import { readable, refusedClasses } from './readable.ts';
import { candidatesInput, type FitRequest, printFit } from './request.ts';

interface WhyNothingProps {
  readonly request: FitRequest;
  readonly onChoose: (request: FitRequest) => void;
}

type Explanation = WhyNotQuery['allocationCandidates']['explanation'];

export function WhyNothing({ request, onChoose }: WhyNothingProps) {
  const query = useAsk(WhyNot, { input: candidatesInput(request) });
  return (
    <Answered query={query}>
      {({ allocationCandidates: { explanation } }) => (
        <>
          <p>
            <Name>{readable(explanation.summary)}</Name>
          </p>
          <Sizes explanation={explanation} />
          <Funnel steps={explanation.steps} isLowerBound={explanation.truncated} />
          <Misses misses={explanation.nearestMisses} request={request} onChoose={onChoose} />
        </>
      )}
    </Answered>
  );
}

function Sizes({ explanation: { steps, nearestMisses } }: { readonly explanation: Explanation }) {
  const refused = refusedClasses(steps, nearestMisses).slice(0, bounds.mapClasses);
  return refused.length === 0 ? null : <Largest refused={refused} />;
}

function Funnel({ steps, isLowerBound }: { readonly steps: Explanation['steps']; readonly isLowerBound: boolean }) {
  const { rows, harmless } = funnelOf(steps);
  if (rows.length === 0) return null;
  return (
    <>
      <h2 className={layout.section}>What ruled the trees out</h2>
      <ol className={styles.funnel}>
        {rows.map(({ words, left, lost, before, after, empties }) => (
          <li key={words} className={empties ? styles.empties : ''}>
            <strong>{formatCount(left)}</strong>
            <span className={styles.shrinking} aria-hidden="true">
              <span className={styles.before} style={{ width: `${100 * before}%` }} />
              <span className={styles.after} style={{ width: `${100 * after}%` }} />
            </span>
            <span>
              <Name>{readable(words)}</Name>
            </span>
            <span className={styles.lost}>
              {empties && '▲ '}−{formatCount(lost)}
            </span>
          </li>
        ))}
      </ol>
      <p className={layout.muted}>
        Trees left after each condition.
        {harmless > 0 && ` ${formatCount(harmless)} more conditions ruled out none.`}
        {isLowerBound && ' The search was cut short: the numbers are lower bounds.'}
      </p>
    </>
  );
}

function Misses({ misses, request, onChoose }: WhyNothingProps & { readonly misses: Explanation['nearestMisses'] }) {
  if (misses.length === 0) return null;
  return (
    <>
      <h2 className={layout.section}>What would help</h2>
      <ul className={styles.misses}>
        {misses.map((miss) => {
          const next = without(request, miss);
          return (
            <li key={miss.message}>
              {printFit(next) !== printFit(request) && next.groups.some(({ resources }) => resources.length > 0) && (
                <button type="button" aria-label={`Try it: ${visible(readable(miss.message))}`} onClick={() => onChoose(next)}>
                  Try it
                </button>
              )}
              <span>
                <Name>{readable(miss.message)}</Name>
                {miss.sample.length > 0 && (
                  <span className={layout.muted}>
                    {' '}
                    For example{' '}
                    {miss.sample.map((provider, index) => (
                      <span key={provider.uuid}>
                        {index > 0 && ', '}
                        <ProviderLink provider={provider} />
                      </span>
                    ))}
                    .
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
