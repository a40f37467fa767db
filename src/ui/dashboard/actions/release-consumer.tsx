// Releases what a consumer holds: for one that was left over.
import { useState } from 'react';
import { ask } from '../data/ask.ts';
import { formatAmount } from '../formats/amounts.ts';
import { Name } from '../name.tsx';
import type { ConsumerQuery } from '../pages/consumers/consumers.generated.ts';
import { groupedBy } from '../parts/grouped.ts';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { HoldAgain, ReleaseAllocations } from './actions.generated.ts';
import { newKey, type Outcome, outcomeOf } from './outcome.ts';

type Holder = NonNullable<ConsumerQuery['consumer']>;

export function ReleaseConsumer({ consumer, onClose }: { readonly consumer: Holder; readonly onClose: () => void }) {
  const [key] = useState(newKey);
  // The page reads again after the write, and the consumer is gone by then.
  const [asSeen] = useState(consumer);
  const { uuid, allocations } = asSeen;
  return (
    <ActionDialog title="Release what it holds" confirm="Release" onConfirm={() => release(asSeen, key)} onClose={onClose}>
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
      <p className={layout.warning}>
        ▲ Be sure that nothing runs there any more: a server that still does would share its place with others.
      </p>
    </ActionDialog>
  );
}

async function release(consumer: Holder, key: string): Promise<Outcome> {
  const { uuid, generation } = consumer;
  const { releaseAllocations } = await ask(ReleaseAllocations, {
    input: { consumers: [{ consumer: uuid, expect: { generation } }], idempotencyKey: key },
  });
  return outcomeOf(releaseAllocations?.userErrors, { said: 'Released.', undo: () => holdAgain(consumer) });
}

/** Refused when somebody else has taken the place meanwhile. */
async function holdAgain({ uuid, consumerType, project, user, allocations }: Holder): Promise<Outcome> {
  const held = groupedBy(allocations, ({ resourceProvider }) => resourceProvider.uuid);
  const { replaceAllocations } = await ask(HoldAgain, {
    input: {
      consumers: [
        {
          consumer: uuid,
          expect: { isNew: true },
          project: project.externalId,
          user: user.externalId,
          ...(consumerType !== null && { consumerType }),
          hold: {
            allocations: [...held].map(([resourceProvider, taken]) => ({
              resourceProvider,
              resources: taken.map(({ amount, resourceClass }) => ({ resourceClass: resourceClass.name, amount })),
            })),
          },
        },
      ],
      idempotencyKey: newKey(),
    },
  });
  return outcomeOf(replaceAllocations?.userErrors, { said: 'Undone: it holds what it held before.', undo: null });
}
