// The state of the bridge above every page but its own, while there is one. Without one it is asked for as rarely as the version of the gateway.
import { Link } from 'wouter';
import { Bridge } from '../data/bridge.generated.ts';
import { useAsk } from '../data/queries.ts';
import { BridgeWords } from '../parts/bridge-words.tsx';
import styles from './shell.module.css';

export function BridgeLine({ mayAsk }: { readonly mayAsk: boolean }) {
  const { data } = useAsk(Bridge, {}, { enabled: mayAsk, everySeconds: 300, isAside: true });
  return data?.bridge && data.bridge.mode !== 'ENDED' ? <Standing /> : null;
}

function Standing() {
  const { data } = useAsk(Bridge, {}, { everySeconds: 5, isAside: true });
  return (
    data?.bridge && (
      <p className={styles.bridge}>
        <Link href="/bridge">
          <BridgeWords bridge={data.bridge} />
        </Link>
      </p>
    )
  );
}
