// Takes a pasted flavor, which the gateway turns into a request as Nova would.
import { useState } from 'react';
import { ask } from '../../data/ask.ts';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import { FromFlavor } from './fit.generated.ts';
import styles from './fit.module.css';
import { readFlavor } from './flavor.ts';
import { type FitRequest, requestFrom } from './request.ts';

export function FlavorPaste({ onRequest }: { readonly onRequest: (request: FitRequest) => void }) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState<readonly string[]>([]);
  const take = async () => {
    const { flavor, problem } = readFlavor(text);
    if (flavor === null) return setSaid([problem ?? '']);
    try {
      const { flavorToRequest } = await ask(FromFlavor, { flavor });
      setSaid((flavorToRequest.warnings ?? []).map(({ message }) => message));
      onRequest(requestFrom(flavorToRequest.request));
    } catch (error) {
      setSaid([error instanceof Error ? error.message : String(error)]);
    }
  };
  return (
    <details className={styles.paste}>
      <summary>Paste a flavor</summary>
      <label>
        What <code>openstack flavor show NAME -f json</code> prints
        <textarea rows={6} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="button" disabled={text.trim() === ''} onClick={() => void take()}>
        Use this flavor
      </button>
      {said.length > 0 && (
        <ul role="status" className={layout.warning}>
          {said.map((message) => (
            <li key={message}>
              <Name>{message}</Name>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
