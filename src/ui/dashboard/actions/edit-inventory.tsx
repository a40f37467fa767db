// Edits reserved and ratio of one inventory, or of all of its class in a tree, in an aggregate or of selected hosts. The preview is the write, rolled back.
import { type ReactNode, useState } from 'react';
import { ask } from '../data/ask.ts';
import { unitOf } from '../formats/amounts.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { HostUuids, PatchInventories, type PatchInventoriesInput } from './actions.generated.ts';
import { changeWords, countHosts, countWords, expected, type Patched, patchOf, undoOf } from './inventory-patch.ts';
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
  return (
    <InventoryDialog
      title={
        <>
          {resourceClass} of <Name>{provider.name}</Name>
        </>
      }
      classes={[resourceClass]}
      before={inventory}
      choices={[
        {
          label: 'this provider only',
          select: async () => ({ one: { resourceProvider: provider.uuid, expect: { generation: provider.generation } } }),
        },
        { label: `every ${resourceClass} inventory in its tree`, select: async () => ({ filter: { inTrees: [provider.uuid] } }) },
        ...provider.aggregates.map(({ uuid, name }) => ({
          label: `every ${resourceClass} inventory in ${name}`,
          select: async () => ({ filter: { aggregates: [{ allOf: [uuid] }] } }),
        })),
      ]}
      onClose={onClose}
    />
  );
}

interface EditInventoriesProps {
  /** Names of providers. */
  readonly names: readonly string[];
  readonly classes: readonly string[];
  readonly onClose: () => void;
}

/**
 * The same for hosts that were selected in a list; an empty field stays as it is. The list shows sums of trees, so every provider that has the class is meant:
 * the host itself, or its NUMA cells and devices, each with the same values.
 */
export function EditInventories({ names, classes, onClose }: EditInventoriesProps) {
  return (
    <InventoryDialog
      title={`An inventory of ${countHosts(names.length)}`}
      classes={classes}
      before={null}
      choices={[
        {
          label: 'the selected hosts and everything below them, where they have it',
          select: async () => {
            const { resourceProviders } = await ask(HostUuids, { names: [...names] });
            return { filter: { inTrees: resourceProviders.nodes.map(({ uuid }) => uuid) } };
          },
        },
        { label: 'only the selected hosts themselves, where they have it', select: async () => ({ filter: { names } }) },
      ]}
      onClose={onClose}
    />
  );
}

interface Choice {
  readonly label: string;
  readonly select: () => Promise<PatchInventoriesInput['select']>;
}

interface InventoryDialogProps {
  readonly title: ReactNode;
  /** The classes to choose from. */
  readonly classes: readonly string[];
  /** The current values; null if they differ between the inventories. */
  readonly before: { readonly reserved: number; readonly allocationRatio: number } | null;
  /** Which inventories the person can choose. */
  readonly choices: readonly [Choice, ...Choice[]];
  readonly onClose: () => void;
}

interface Draft {
  readonly resourceClass: string;
  readonly reserved: string;
  readonly ratio: string;
  /** The place of the choice. */
  readonly which: number;
}

interface PreviewedPatch {
  readonly input: PatchInventoriesInput;
  readonly patched: Patched;
}

function InventoryDialog({ title, classes, before, choices, onClose }: InventoryDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    resourceClass: classes[0] ?? '',
    reserved: String(before?.reserved ?? ''),
    ratio: String(before?.allocationRatio ?? ''),
    which: 0,
  });
  const [preview, setPreview] = useState<PreviewedPatch | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...next }));
    setPreview(null);
  };
  const look = async () => {
    const patch = patchOf(draft, before);
    if (Object.keys(patch).length === 0) return setProblem('Nothing differs yet.');
    try {
      const select = await (choices[draft.which] ?? choices[0]).select();
      const { input, patched } = await tryPatch({ select, resourceClass: draft.resourceClass, patch, dryRun: true });
      setProblem(patched?.userErrors.map((refusal) => `${refusal.code}: ${refusalWords(refusal)}`).join(' ') || null);
      if (patched && patched.userErrors.length === 0) setPreview({ input: confirmed(input, patched), patched });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const changeCount = preview?.patched.changes?.length ?? 0;
  return (
    <ActionDialog
      title={title}
      confirm={changeCount > 0 ? `Change ${countWords(changeCount)}` : null}
      onConfirm={() => (preview ? write(preview.input) : Promise.reject(new Error('There is no preview.')))}
      onClose={onClose}
    >
      <InventoryForm draft={draft} classes={classes} choices={choices} isRequired={before !== null} onChange={change} onPreview={look} />
      {problem !== null && (
        <p role="alert" className={layout.warning}>
          {problem}
        </p>
      )}
      {preview && <Preview patched={preview.patched} resourceClass={draft.resourceClass} />}
    </ActionDialog>
  );
}

/** Previews a patch, then once more with the generations that it found, so that the write is as the preview says, or refused. */
async function tryPatch(
  input: PatchInventoriesInput,
): Promise<{ readonly input: PatchInventoriesInput; readonly patched: Patched | null }> {
  const { patchInventories: found } = await ask(PatchInventories, { input });
  if (!found?.changes?.length) return { input, patched: found };
  const exact = { ...input, select: { many: expected(found.changes) } };
  const { patchInventories: patched } = await ask(PatchInventories, { input: exact });
  return { input: exact, patched };
}

/** The write of a previewed patch. */
const confirmed = (input: PatchInventoriesInput, { matchedCount }: Patched): PatchInventoriesInput => ({
  ...input,
  expectedCount: matchedCount,
  dryRun: false,
  idempotencyKey: newKey(),
});

interface InventoryFormProps extends Pick<InventoryDialogProps, 'classes' | 'choices'> {
  readonly draft: Draft;
  /** Whether every field needs a value. */
  readonly isRequired: boolean;
  readonly onChange: (next: Partial<Draft>) => void;
  readonly onPreview: () => Promise<void>;
}

function InventoryForm({ draft, classes, choices, isRequired, onChange, onPreview }: InventoryFormProps) {
  const { resourceClass, reserved, ratio, which } = draft;
  const unit = unitOf(resourceClass);
  return (
    <form
      className={layout.filters}
      onSubmit={(event) => {
        event.preventDefault();
        void onPreview();
      }}
    >
      {classes.length > 1 && (
        <label>
          Class
          <select value={resourceClass} onChange={({ target }) => onChange({ resourceClass: target.value })}>
            {classes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        Reserved{unit === null ? '' : ` (${unit})`}
        <input
          type="number"
          min={0}
          max={2147483647}
          required={isRequired}
          value={reserved}
          onChange={({ target }) => onChange({ reserved: target.value })}
        />
      </label>
      <label>
        Ratio
        <input
          type="number"
          min={0}
          step="any"
          required={isRequired}
          value={ratio}
          onChange={({ target }) => onChange({ ratio: target.value })}
        />
      </label>
      <label>
        Apply to
        <select value={which} onChange={({ target }) => onChange({ which: Number(target.value) })}>
          {choices.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Preview</button>
    </form>
  );
}

async function write(input: PatchInventoriesInput): Promise<Outcome> {
  const { patchInventories: patched } = await ask(PatchInventories, { input });
  const changes = patched?.changes ?? [];
  const undo = undoOf(changes, input.resourceClass);
  return outcomeOf(patched?.userErrors, {
    said: `Changed ${countWords(changes.length)}${undo ? '.' : '; their earlier values differed, so there is no undo: the history has them.'}`,
    undo: undo && (() => write({ ...undo, idempotencyKey: newKey() }).then(withoutWayBack)),
  });
}

/** An undo cannot be undone, or the dialog would never end. */
const withoutWayBack = ({ refusals, done }: Outcome): Outcome => ({
  refusals,
  done: done && { said: 'Undone: everything is as it was before.', undo: null },
});

function Preview({
  patched: { matchedCount, changes: found, warnings },
  resourceClass,
}: {
  readonly patched: Patched;
  readonly resourceClass: string;
}) {
  const changes = found ?? [];
  return (
    <div role="status">
      <p>
        {changes.length === 0
          ? `Nothing would change: ${matchedCount === 0 ? 'none of them has the class' : `${countWords(matchedCount)} have these values already`}.`
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
        <p className={layout.muted}>If somebody else writes to any of them meanwhile, none is changed, and the refusal names it.</p>
      )}
      {(warnings ?? []).slice(0, manyShown).map(({ message }) => (
        <p key={message} className={layout.warning}>
          ▲ <Name>{message}</Name>
        </p>
      ))}
    </div>
  );
}
