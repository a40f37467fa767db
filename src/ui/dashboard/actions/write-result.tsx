// What became of a write or of its undo. A refusal is shown with the gateway's code and message.
import { formatCount } from '../formats/amounts.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { type Outcome, refusalWords } from './outcome.ts';
import { readAgain, type Write } from './use-write.ts';

const manyShown = 10;
const mostLeft = 100;

interface WriteResultProps {
  readonly write: Write;
  /** What a refusal has prevented. */
  readonly refused: 'written' | 'undone';
  /** Called when the page behind is read again; null where nothing is to be closed then. */
  readonly onReadAgain: (() => void) | null;
}

export function WriteResult({ write: { outcome, failure }, refused, onReadAgain }: WriteResultProps) {
  const done = outcome?.done ?? null;
  return (
    <>
      {done && <p>{done.said}</p>}
      {done?.left && (
        <ul>
          {done.left.slice(0, mostLeft).map((line) => (
            <li key={line}>
              <Name>{line}</Name>
            </li>
          ))}
          {done.left.length > mostLeft && <li>and {formatCount(done.left.length - mostLeft)} more.</li>}
        </ul>
      )}
      {outcome && outcome.refusals.length > 0 && <Refusals outcome={outcome} refused={refused} onReadAgain={onReadAgain} />}
      {failure !== null && <p className={layout.warning}>{failure}</p>}
    </>
  );
}

interface RefusalsProps extends Pick<WriteResultProps, 'refused' | 'onReadAgain'> {
  readonly outcome: Outcome;
}

function Refusals({ outcome: { refusals }, refused, onReadAgain }: RefusalsProps) {
  return (
    <>
      <p className={layout.warning}>▲ Nothing was {refused}.</p>
      <ul>
        {refusals.slice(0, manyShown).map((refusal) => (
          <li key={`${refusal.code} ${refusal.message}`}>
            <code>{refusal.code}</code> <Name>{refusalWords(refusal)}</Name>
          </li>
        ))}
        {refusals.length > manyShown && <li>and {formatCount(refusals.length - manyShown)} more.</li>}
      </ul>
      {onReadAgain && refusals.some(({ retry }) => retry === 'AFTER_READ') && (
        <p>
          Somebody has written there since this page was read.{' '}
          <button
            type="button"
            onClick={() => {
              readAgain();
              onReadAgain();
            }}
          >
            Close and read again
          </button>
        </p>
      )}
    </>
  );
}
