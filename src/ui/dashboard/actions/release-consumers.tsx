// Releases what leftover consumers hold, or the part of it on hosts where they no longer run, in one write.
import { useState } from 'react';
import { ask } from '../data/ask.ts';
import { formatCount } from '../formats/amounts.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import styles from './action-dialog.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { ReleaseAllocations, ReplaceHoldings } from './actions.generated.ts';
import { ChooseHost, everything } from './choose-host.tsx';
import { type Holder, heldBefore, heldWords, holdingOf, hostsOf, keptOn } from './holdings.ts';
import { newKey, type Outcome, outcomeOf } from './outcome.ts';
import { useRight } from './rights.ts';

const manyShown = 10;

export const countConsumers = (count: number): string => (count === 1 ? '1 consumer' : `${formatCount(count)} consumers`);

/** A consumer with the uuid of the host that it keeps, or `everything` to release; null while the person has not chosen. */
interface Choice {
  readonly consumer: Holder;
  readonly keep: string | null;
}

export function ReleaseConsumers({ consumers, onClose }: { readonly consumers: readonly Holder[]; readonly onClose: () => void }) {
  const [key] = useState(newKey);
  // After the write the page reads again, and the consumers are gone.
  const [asSeen] = useState(consumers);
  const [kept, setKept] = useState<Readonly<Record<string, string>>>({});
  const count = asSeen.length;
  const mayKeep = useRight('placement:allocations:manage') && count <= manyShown;
  // Of these none can be chosen: the person confirms that all their hosts are meant.
  const onSeveral = mayKeep ? 0 : asSeen.filter((consumer) => hostsOf(consumer).length > 1).length;
  const [isConfirmed, setConfirmed] = useState(false);
  const choices: readonly Choice[] = asSeen.map((consumer) => ({
    consumer,
    keep: mayKeep && hostsOf(consumer).length > 1 ? (kept[consumer.uuid] ?? null) : everything,
  }));
  return (
    <ActionDialog
      title={titleOf(choices, mayKeep)}
      confirm={onSeveral > 0 && !isConfirmed ? null : confirmWords(choices)}
      onConfirm={() => write(choices, key)}
      onClose={onClose}
    >
      {choices
        .slice(0, manyShown)
        .map(({ consumer, keep }) =>
          mayKeep && hostsOf(consumer).length > 1 ? (
            <ChooseHost
              key={consumer.uuid}
              consumer={consumer}
              chosen={keep}
              onChoose={(host) => setKept((before) => ({ ...before, [consumer.uuid]: host }))}
            />
          ) : (
            <Released key={consumer.uuid} consumer={consumer} />
          ),
        )}
      {count > manyShown && (
        <p>
          and {countConsumers(count - manyShown)} more. To keep one host of each, select at most {manyShown}.
        </p>
      )}
      {onSeveral > 0 && (
        <div className={styles.choices}>
          <label>
            <input type="checkbox" checked={isConfirmed} onChange={({ target }) => setConfirmed(target.checked)} />
            <span>
              {countConsumers(onSeveral)} {onSeveral === 1 ? 'holds' : 'hold'} on several hosts, and may still run on one: release them all
            </span>
          </label>
        </div>
      )}
      {count > 1 && (
        <p className={layout.muted}>If somebody else writes to any of them meanwhile, none is released, and the refusal names it.</p>
      )}
      <p className={layout.warning}>
        ▲ Make sure that nothing runs where you drop or release: others get these resources, and a server that still runs there would share
        them.
      </p>
    </ActionDialog>
  );
}

function Released({ consumer: { uuid, allocations } }: { readonly consumer: Holder }) {
  return (
    <div>
      <p>
        Consumer <code>{uuid}</code> will hold nothing, and these will be free for others:
      </p>
      <ul>
        {allocations.map((held) => (
          <li key={`${held.resourceProvider.uuid} ${held.resourceClass.name}`}>
            {heldWords([held])} on <Name>{held.resourceProvider.name}</Name>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the person decides: what is kept, or only that everything goes. */
function titleOf(choices: readonly Choice[], mayKeep: boolean): string {
  const hasChoice = mayKeep && choices.some(({ consumer }) => hostsOf(consumer).length > 1);
  if (choices.length === 1) return hasChoice ? 'Keep one host, or release everything' : 'Release what it holds';
  const consumers = countConsumers(choices.length);
  return hasChoice ? `Keep one host of each of ${consumers}, or release everything` : `Release what ${consumers} hold`;
}

/** Null while a choice is missing. */
function confirmWords(choices: readonly Choice[]): string | null {
  if (choices.some(({ keep }) => keep === null)) return null;
  const count = choices.length;
  const areReleased = choices.every(({ keep }) => keep === everything);
  if (areReleased) return count === 1 ? 'Release' : `Release ${countConsumers(count)}`;
  return count === 1 ? 'Drop the rest' : `Change ${countConsumers(count)}`;
}

async function write(choices: readonly Choice[], key: string): Promise<Outcome> {
  const consumers = choices.map(({ consumer }) => consumer);
  const count = consumers.length;
  const who = count === 1 ? `consumer ${consumers[0]?.uuid}` : countConsumers(count);
  if (choices.every(({ keep }) => keep === everything)) {
    const { releaseAllocations } = await ask(ReleaseAllocations, {
      input: { consumers: consumers.map(({ uuid, generation }) => ({ consumer: uuid, expect: { generation } })), idempotencyKey: key },
    });
    return outcomeOf(releaseAllocations?.userErrors, {
      said: count === 1 ? 'Released.' : `Released ${countConsumers(count)}.`,
      undo: { what: `${who} released`, run: () => holdAgain(consumers, new Map()) },
    });
  }
  const writes = choices.map(({ consumer, keep }) =>
    holdingOf(consumer.uuid, { generation: consumer.generation }, keep === everything ? [] : keptOn(consumer, keep ?? '')),
  );
  const { replaceAllocations } = await ask(ReplaceHoldings, { input: { consumers: writes, idempotencyKey: key } });
  const generations = new Map(replaceAllocations?.consumers?.flatMap((one) => (one === null ? [] : [[one.uuid, one.generation] as const])));
  return outcomeOf(replaceAllocations?.userErrors, {
    said: count === 1 ? 'It holds only what it keeps.' : `${countConsumers(count)} hold only what they keep.`,
    undo: { what: `${who} changed`, run: () => holdAgain(consumers, generations) },
  });
}

/** Refused if another consumer has taken a place meanwhile, or if anybody has written to one of these. */
async function holdAgain(consumers: readonly Holder[], generations: ReadonlyMap<string, number>): Promise<Outcome> {
  const writes = consumers.map((consumer) => heldBefore(consumer, generations.get(consumer.uuid) ?? null));
  const { replaceAllocations } = await ask(ReplaceHoldings, { input: { consumers: writes, idempotencyKey: newKey() } });
  const said = consumers.length === 1 ? 'it holds what it held before' : 'they hold what they held before';
  return outcomeOf(replaceAllocations?.userErrors, { said: `Undone: ${said}.`, undo: null });
}
