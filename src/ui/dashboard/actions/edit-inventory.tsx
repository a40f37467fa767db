// Edits reserved and ratio of one inventory, or of all of its class in a tree, in an aggregate or of selected hosts. The preview is the write, rolled back.
import { useRef, useState } from 'react';
import { unitOf } from '../formats/amounts.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { changeWords, countWords, excessOf, type Patch, patchOf, totalWords, undoWords, worstFirst } from './inventory-patch.ts';
import { type Placed, type Scope, scopesAround, scopesOfHosts } from './inventory-scope.ts';
import { type PreviewedPatch, previewPatch, writePatch } from './inventory-write.ts';
import { refusalWords } from './outcome.ts';

interface EditInventoryProps {
  readonly provider: Placed;
  /** The root of its tree. */
  readonly root: Placed;
  readonly inventory: { readonly resourceClass: { readonly name: string }; readonly reserved: number; readonly allocationRatio: number };
  readonly onClose: () => void;
}

export function EditInventory({ provider, root, inventory, onClose }: EditInventoryProps) {
  const { name: resourceClass } = inventory.resourceClass;
  const scopes = scopesAround(provider, root, resourceClass);
  return <InventoryDialog classes={[resourceClass]} before={inventory} scopes={scopes} onClose={onClose} />;
}

interface EditInventoriesProps {
  /** Names of providers. */
  readonly names: readonly string[];
  readonly classes: readonly string[];
  readonly onClose: () => void;
}

/** The same for hosts that were selected in a list; an empty field stays as it is. */
export function EditInventories({ names, classes, onClose }: EditInventoriesProps) {
  return <InventoryDialog classes={classes} before={null} scopes={scopesOfHosts(names)} onClose={onClose} />;
}

interface InventoryDialogProps {
  /** The classes to choose from. */
  readonly classes: readonly string[];
  /** The current values; null if they differ between the inventories. */
  readonly before: { readonly reserved: number; readonly allocationRatio: number } | null;
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly onClose: () => void;
}

interface Draft {
  readonly resourceClass: string;
  readonly reserved: string;
  readonly ratio: string;
  /** The place of the scope. */
  readonly which: number;
}

interface Preview extends PreviewedPatch {
  readonly leftOut: readonly string[];
}

function InventoryDialog({ classes, before, scopes, onClose }: InventoryDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    resourceClass: classes[0] ?? '',
    reserved: String(before?.reserved ?? ''),
    ratio: String(before?.allocationRatio ?? ''),
    which: 0,
  });
  const { resourceClass } = draft;
  const scope = scopes[draft.which] ?? scopes[0];
  const { preview, problem, isLooking, look, forget } = usePreview(resourceClass, patchOf(draft, before), scope);
  const change = (next: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...next }));
    forget();
  };
  const changeCount = preview?.patched.changes?.length ?? 0;
  return (
    <ActionDialog
      title={
        <>
          Inventory of {resourceClass} <Name>{scope.title}</Name>
        </>
      }
      confirm={changeCount > 0 ? `Change ${countWords(changeCount)}` : null}
      onConfirm={() => (preview ? writePatch(preview) : Promise.reject(new Error('There is no preview.')))}
      onClose={onClose}
    >
      <InventoryForm
        draft={draft}
        classes={classes}
        scopes={scopes}
        isRequired={before !== null}
        isLooking={isLooking}
        onChange={change}
        onPreview={look}
      />
      {problem !== null && (
        <p role="alert" className={layout.warning}>
          {problem}
        </p>
      )}
      {preview && <PreviewShown preview={preview} />}
    </ActionDialog>
  );
}

/** Previews when asked to. The answer for a draft that was changed meanwhile is dropped. */
function usePreview(resourceClass: string, patch: Patch, scope: Scope) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const latest = useRef(0);
  const forget = () => {
    latest.current += 1;
    setPreview(null);
    setLooking(false);
  };
  const look = async () => {
    forget();
    if (Object.keys(patch).length === 0) return setProblem('Nothing differs yet.');
    const own = latest.current;
    const show = (found: Preview | null, said: string | null) => {
      if (own !== latest.current) return;
      setLooking(false);
      setPreview(found);
      setProblem(said);
    };
    setLooking(true);
    try {
      const { select, leftOut } = await scope.select(resourceClass);
      const found = await previewPatch({ select, resourceClass, patch });
      const refusals = found?.patched.userErrors ?? [];
      show(
        found && refusals.length === 0 ? { ...found, leftOut } : null,
        refusals.map((refusal) => `${refusal.code}: ${refusalWords(refusal)}`).join(' ') || null,
      );
    } catch (error) {
      show(null, error instanceof Error ? error.message : String(error));
    }
  };
  return { preview, problem, isLooking, look, forget };
}

interface InventoryFormProps extends Pick<InventoryDialogProps, 'classes' | 'scopes'> {
  readonly draft: Draft;
  /** Whether every field needs a value. */
  readonly isRequired: boolean;
  readonly isLooking: boolean;
  readonly onChange: (next: Partial<Draft>) => void;
  readonly onPreview: () => Promise<void>;
}

function InventoryForm({ draft, classes, scopes, isRequired, isLooking, onChange, onPreview }: InventoryFormProps) {
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
          {scopes.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={isLooking}>
        {isLooking ? 'Looking …' : 'Preview'}
      </button>
    </form>
  );
}

/** The most changes that are listed. */
const mostListed = 100;

function PreviewShown({ preview: { input, patched, leftOut } }: { readonly preview: Preview }) {
  const { resourceClass, patch } = input;
  const { matchedCount } = patched;
  const changes = patched.changes ?? [];
  const same = `${countWords(matchedCount - changes.length)} ${matchedCount - changes.length === 1 ? 'has' : 'have'} these values already`;
  return (
    <>
      <div role="status">
        {changes.length === 0 ? (
          <p>Nothing would change: {matchedCount === 0 ? 'none of them has the class' : same}.</p>
        ) : (
          <p>
            <strong>{totalWords(changes, resourceClass)}</strong> {matchedCount > changes.length && `${same}. `}
            {undoWords(changes, patch)}
          </p>
        )}
        {leftOut.map((line) => (
          <p key={line} className={layout.warning}>
            ▲ Left out, <Name>{line}</Name>.
          </p>
        ))}
      </div>
      <ul>
        {worstFirst(changes)
          .slice(0, mostListed)
          .map((change) => (
            <li key={change.resourceProviderUuid} className={excessOf(change) > 0 ? layout.warning : undefined}>
              <Name>{change.resourceProvider?.name ?? change.resourceProviderUuid}</Name>: {changeWords(change, resourceClass)}
            </li>
          ))}
      </ul>
      {changes.length > mostListed && <p>and {countWords(changes.length - mostListed)} more.</p>}
      {changes.length > 1 && (
        <p className={layout.muted}>If somebody else changes any of them meanwhile, none is changed, and the refusal names it.</p>
      )}
    </>
  );
}
