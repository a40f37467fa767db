// Which host a consumer keeps of several, with what tells where it runs.
import { useAsk } from '../data/queries.ts';
import { Moment } from '../parts/moment.tsx';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import styles from './action-dialog.module.css';
import { HostOfConsumer } from './actions.generated.ts';
import { type HeldHost, type Holder, heldSince, heldWords, hostsOf } from './holdings.ts';

/** The choice to keep no host. */
export const everything = 'everything';

interface ChooseHostProps {
  readonly consumer: Holder;
  /** The uuid of the host to keep, or `everything` to release. */
  readonly chosen: string | null;
  readonly onChoose: (host: string) => void;
}

export function ChooseHost({ consumer, chosen, onChoose }: ChooseHostProps) {
  const { uuid, consumerType, project, allocations } = consumer;
  const hosts = hostsOf(consumer);
  const pooled = allocations.filter(({ resourceProvider }) => resourceProvider.isSharing);
  return (
    <fieldset className={styles.choices}>
      <legend>
        Consumer <code>{uuid}</code> (<Name>{consumerType ?? 'of unknown type'}</Name> of <Name>{project.externalId}</Name>) holds resources
        on {hosts.length} hosts. Which should it keep?
      </legend>
      {hosts.map((host) => (
        <label key={host.uuid}>
          <input type="radio" name={uuid} checked={chosen === host.uuid} onChange={() => onChoose(host.uuid)} />
          <span>
            <strong>
              Keep <Name>{host.name}</Name>
            </strong>
            : {heldWords(host.allocations)}
            <Since host={host} consumer={uuid} />
            {hosts.map(
              (other) =>
                other !== host && (
                  <span key={other.uuid} className={styles.drop}>
                    Drop <Name>{other.name}</Name>, which frees {heldWords(other.allocations)}
                  </span>
                ),
            )}
          </span>
        </label>
      ))}
      <label>
        <input type="radio" name={uuid} checked={chosen === everything} onChange={() => onChoose(everything)} />
        <span>
          <strong>Release everything</strong>: it will hold nothing
        </span>
      </label>
      {pooled.length > 0 && <p className={layout.muted}>With a host it keeps {heldWords(pooled)} on shared pools.</p>}
      <p className={layout.muted}>
        Keep the host on which the server runs. After a move that succeeded, that is the host held for the shorter time; after one that
        failed, the host held for longer.
      </p>
    </fieldset>
  );
}

/** Milliseconds after which a host that has not reported is suspicious. */
const silence = 3_600_000;

/** Since when the consumer holds something there, and when the host last reported. */
function Since({ host, consumer }: { readonly host: HeldHost; readonly consumer: string }) {
  const { data } = useAsk(HostOfConsumer, { root: host.uuid, consumer }, { isAside: true });
  if (!data) return null;
  const reportedAt = data.resourceProvider?.computeNode?.reportedAt ?? null;
  const isSilent = reportedAt !== null && Date.now() - Date.parse(reportedAt) > silence;
  const writes = data.consumer?.events.nodes ?? [];
  const since = heldSince(host, writes);
  const oldest = writes.at(-1);
  return (
    <span className={layout.muted}>
      {' '}
      · held since{' '}
      {since !== null ? (
        <Moment at={since} />
      ) : oldest ? (
        <>
          before <Moment at={oldest.at} />
        </>
      ) : (
        'before the history begins'
      )}{' '}
      ·{' '}
      <span className={isSilent ? layout.warning : undefined}>
        {isSilent && '▲ '}the host {reportedAt === null ? 'has never reported' : 'reported '}
        {reportedAt !== null && <Moment at={reportedAt} />}
      </span>
    </span>
  );
}
