// Edits reserved and ratio of one inventory, or of all of its class in the tree or in an aggregate. The preview is the write itself, rolled back.
import { useState } from 'react';
import { ask } from '../data/ask.ts';
import { unitOf } from '../formats/amounts.ts';
import { Name } from '../name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { PatchInventories, type PatchInventoriesInput } from './actions.generated.ts';
import { changeWords, countWords, expected, type Patched, patchOf, undoOf } from './inventory-patch.ts';
import { newKey, type Outcome, outcomeOf, refusalWords } from './outcome.ts';

interface EditInventoryProps {
  readonly provider: {
    readonly uuid: string;
    readonly name: string;
    readonly generation: number;
    readonly aggregates: readonly { readonly uuid: string; readonly name: string }[];
  };
  readonly inventory: { readonly resourceClass: { readonly name: string }; readonly reserved: number; readonly allocationRatio: number };
  readonly onClose: () => void;
}

const manyShown = 10;

export function EditInventory({ provider, inventory, onClose }: EditInventoryProps) {
  const { name: resourceClass } = inventory.resourceClass;
  const unit = unitOf(resourceClass);
  const [draft, setDraft] = useState({ reserved: String(inventory.reserved), ratio: String(inventory.allocationRatio), which: 'one' });
  const [preview, setPreview] = useState<{ readonly input: PatchInventoriesInput; readonly patched: Patched } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...next }));
    setPreview(null);
  };
  const look = async () => {
    const patch = patchOf(draft, inventory);
    if (Object.keys(patch).length === 0) return setProblem('Nothing is different yet.');
    const input = { select: selectionOf(draft.which, provider), resourceClass, patch, dryRun: true };
    try {
      const { patchInventories: found } = await ask(PatchInventories, { input });
      // What is confirmed is looked at once more with its generations, so that it is as the preview says or refused.
      const exact = found && found.changes.length > 0 ? { ...input, select: { many: expected(found.changes) } } : input;
      const { patchInventories: patched } = exact === input ? { patchInventories: found } : await ask(PatchInventories, { input: exact });
      setProblem(patched?.userErrors.map((refusal) => `${refusal.code}: ${refusalWords(refusal)}`).join(' ') || null);
      if (patched && patched.userErrors.length === 0) setPreview({ input: { ...exact, dryRun: false, idempotencyKey: newKey() }, patched });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <ActionDialog
      title={
        <>
          {resourceClass} of <Name>{provider.name}</Name>
        </>
      }
      confirm={preview && preview.patched.changes.length > 0 ? `Change ${countWords(preview.patched.changes.length)}` : null}
      onConfirm={() => (preview ? write(preview.input) : Promise.reject(new Error('There is no preview.')))}
      onClose={onClose}
    >
      <form
        className={layout.filters}
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
      >
        <label>
          Reserved{unit === null ? '' : ` (${unit})`}
          <input
            type="number"
            min={0}
            max={2147483647}
            required
            value={draft.reserved}
            onChange={({ target }) => change({ reserved: target.value })}
          />
        </label>
        <label>
          Ratio
          <input type="number" min={0} step="any" required value={draft.ratio} onChange={({ target }) => change({ ratio: target.value })} />
        </label>
        <label>
          Of
          <select value={draft.which} onChange={({ target }) => change({ which: target.value })}>
            <option value="one">this provider only</option>
            <option value="tree">all of its tree with {resourceClass}</option>
            {provider.aggregates.map(({ uuid, name }) => (
              <option key={uuid} value={uuid}>
                all in {name} with {resourceClass}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Preview</button>
      </form>
      {problem !== null && (
        <p role="alert" className={layout.warning}>
          {problem}
        </p>
      )}
      {preview && <Preview patched={preview.patched} resourceClass={resourceClass} />}
    </ActionDialog>
  );
}

function selectionOf(which: string, { uuid, generation }: EditInventoryProps['provider']): PatchInventoriesInput['select'] {
  if (which === 'one') return { one: { resourceProvider: uuid, expect: { generation } } };
  return { filter: which === 'tree' ? { inTrees: [uuid] } : { aggregates: [{ allOf: [which] }] } };
}

async function write(input: PatchInventoriesInput): Promise<Outcome> {
  const { patchInventories: patched } = await ask(PatchInventories, { input });
  const undo = patched && undoOf(patched.changes, input.resourceClass);
  return outcomeOf(patched?.userErrors, {
    said: `Changed ${countWords(patched?.changes.length ?? 0)}${undo ? '.' : '; what they held before differed: it is in the history.'}`,
    undo: undo && (() => write({ ...undo, idempotencyKey: newKey() }).then(withoutWayBack)),
  });
}

/** What was undone is not undone again: the dialog would never end. */
const withoutWayBack = ({ refusals, done }: Outcome): Outcome => ({
  refusals,
  done: done && { said: 'Undone: it is as it was before.', undo: null },
});

function Preview({
  patched: { matchedCount, changes, warnings },
  resourceClass,
}: {
  readonly patched: Patched;
  readonly resourceClass: string;
}) {
  return (
    <div role="status">
      <p>
        {changes.length === 0
          ? `Nothing would change: ${countWords(matchedCount)} have these values already.`
          : `This will change ${countWords(changes.length)}:`}
      </p>
      <ul>
        {changes.slice(0, manyShown).map((change) => (
          <li key={change.resourceProviderUuid}>
            <Name>{change.resourceProvider?.name ?? change.resourceProviderUuid}</Name>: {changeWords(change, resourceClass)}
          </li>
        ))}
      </ul>
      {changes.length > manyShown && <p>and {countWords(changes.length - manyShown)} more.</p>}
      {changes.length > 1 && (
        <p className={layout.muted}>If somebody else writes to any of them meanwhile, none is changed, and which it was is said.</p>
      )}
      {(warnings ?? []).slice(0, manyShown).map(({ message }) => (
        <p key={message} className={layout.warning}>
          ▲ <Name>{message}</Name>
        </p>
      ))}
    </div>
  );
}
