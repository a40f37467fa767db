// Releases what leftover consumers hold, in one write.
import { useState } from 'react';
import { ask } from '../data/ask.ts';
import { formatAmount, formatCount } from '../formats/amounts.ts';
import { groupedBy } from '../parts/grouped.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { HoldAgain, ReleaseAllocations } from './actions.generated.ts';
import { newKey, type Outcome, outcomeOf } from './outcome.ts';

/** A consumer with what a release and its undo need. */
interface Holder {
  readonly uuid: string;
  readonly generation: number;
  readonly consumerType: string | null;
  readonly project: { readonly externalId: string };
  readonly user: { readonly externalId: string };
  readonly allocations: readonly {
    readonly amount: number;
    readonly resourceClass: { readonly name: string };
    readonly resourceProvider: { readonly uuid: string; readonly name: string };
  }[];
}

const manyShown = 10;

export const countConsumers = (count: number): string => (count === 1 ? '1 consumer' : `${formatCount(count)} consumers`);

export function ReleaseConsumers({ consumers, onClose }: { readonly consumers: readonly Holder[]; readonly onClose: () => void }) {
  const [key] = useState(newKey);
  // After the write the page reads again, and the consumers are gone.
  const [asSeen] = useState(consumers);
  const count = asSeen.length;
  return (
    <ActionDialog
      title={count === 1 ? 'Release what it holds' : `Release what ${countConsumers(count)} hold`}
      confirm={count === 1 ? 'Release' : `Release ${countConsumers(count)}`}
      onConfirm={() => release(asSeen, key)}
      onClose={onClose}
    >
      {asSeen.slice(0, manyShown).map(({ uuid, allocations }) => (
        <div key={uuid}>
          <p>
            Consumer <code>{uuid}</code> will hold nothing, and these will be free for others:
          </p>
          <ul>
            {allocations.map(({ amount, resourceClass: { name }, resourceProvider }) => (
              <li key={`${resourceProvider.uuid} ${name}`}>
                {formatAmount(amount, name)} {name} on <Name>{resourceProvider.name}</Name>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {count > manyShown && <p>and {countConsumers(count - manyShown)} more.</p>}
      {count > 1 && (
        <p className={layout.muted}>If somebody else writes to any of them meanwhile, none is released, and the refusal names it.</p>
      )}
      <p className={layout.warning}>
        ▲ Make sure that nothing runs there any more: a server that still does would share its resources with others.
      </p>
    </ActionDialog>
  );
}

async function release(consumers: readonly Holder[], key: string): Promise<Outcome> {
  const { releaseAllocations } = await ask(ReleaseAllocations, {
    input: { consumers: consumers.map(({ uuid, generation }) => ({ consumer: uuid, expect: { generation } })), idempotencyKey: key },
  });
  return outcomeOf(releaseAllocations?.userErrors, {
    said: consumers.length === 1 ? 'Released.' : `Released ${countConsumers(consumers.length)}.`,
    undo: () => holdAgain(consumers),
  });
}

/** Refused if another consumer has taken a place meanwhile. */
async function holdAgain(consumers: readonly Holder[]): Promise<Outcome> {
  const { replaceAllocations } = await ask(HoldAgain, { input: { consumers: consumers.map(heldBefore), idempotencyKey: newKey() } });
  const said = consumers.length === 1 ? 'it holds what it held before' : 'they hold what they held before';
  return outcomeOf(replaceAllocations?.userErrors, { said: `Undone: ${said}.`, undo: null });
}

function heldBefore({ uuid, consumerType, project, user, allocations }: Holder) {
  const held = groupedBy(allocations, ({ resourceProvider }) => resourceProvider.uuid);
  return {
    consumer: uuid,
    expect: { isNew: true as const },
    project: project.externalId,
    user: user.externalId,
    ...(consumerType !== null && { consumerType }),
    hold: {
      allocations: [...held].map(([resourceProvider, taken]) => ({
        resourceProvider,
        resources: taken.map(({ amount, resourceClass }) => ({ resourceClass: resourceClass.name, amount })),
      })),
    },
  };
}
