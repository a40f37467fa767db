// Which host a consumer keeps of several, with what tells where it runs.
import { useAsk } from '../data/queries.ts';
import { Moment } from '../parts/moment.tsx';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import styles from './action-dialog.module.css';
import { HostOfConsumer } from './actions.generated.ts';
import { type Holder, heldWords, hostsOf } from './holdings.ts';

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
        Consumer <code>{uuid}</code> (<Name>{consumerType ?? 'of unknown type'}</Name> of <Name>{project.externalId}</Name>) holds on{' '}
        {hosts.length} hosts:
      </legend>
      {hosts.map((host) => (
        <label key={host.uuid}>
          <input type="radio" name={uuid} checked={chosen === host.uuid} onChange={() => onChoose(host.uuid)} />
          <span>
            Keep on <Name>{host.name}</Name>, drop{' '}
            <Name>
              {hosts
                .filter((other) => other !== host)
                .map(({ name }) => name)
                .join(', ')}
            </Name>
            <span className={layout.muted}>
              {' '}
              · {heldWords(host.allocations)}
              <HostHint root={host.uuid} consumer={uuid} />
            </span>
          </span>
        </label>
      ))}
      <label>
        <input type="radio" name={uuid} checked={chosen === everything} onChange={() => onChoose(everything)} />
        <span>Release everything: it will hold nothing</span>
      </label>
      {pooled.length > 0 && <p className={layout.muted}>With a host it keeps {heldWords(pooled)} on shared pools.</p>}
      <p className={layout.muted}>
        After a finished move the leftover is on the host that it has held for longer, after a failed one on the other.
      </p>
    </fieldset>
  );
}

/** Milliseconds after which a host that has not reported is suspicious. */
const silence = 3_600_000;

/** When the consumer last changed there, and when the host last reported. */
function HostHint({ root, consumer }: { readonly root: string; readonly consumer: string }) {
  const { data } = useAsk(HostOfConsumer, { root, consumer }, { isAside: true });
  if (!data) return null;
  const reportedAt = data.resourceProvider?.computeNode?.reportedAt ?? null;
  const isSilent = reportedAt !== null && Date.now() - Date.parse(reportedAt) > silence;
  const [last] = data.events.nodes;
  return (
    <>
      {last && (
        <>
          {' '}
          · it last changed here <Moment at={last.at} />
        </>
      )}{' '}
      ·{' '}
      <span className={isSilent ? layout.warning : undefined}>
        {isSilent && '▲ '}the host {reportedAt === null ? 'has never reported' : 'reported '}
        {reportedAt !== null && <Moment at={reportedAt} />}
      </span>
    </>
  );
}
