// Edits reserved and ratio of one inventory, or of all of its class in a tree, in an aggregate or of selected hosts. The preview is the write, rolled back.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { unitOf } from '../formats/amounts.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { disabledAmong, disabledWords } from './disabled-hosts.ts';
import { changeWords, countWords, excessOf, type Patch, patchOf, rootOf, totalWords, undoWords, worstFirst } from './inventory-patch.ts';
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
  return <InventoryDialog classes={[resourceClass]} before={inventory} follows={false} scopes={scopes} onClose={onClose} />;
}

interface EditInventoriesProps {
  /** Names of providers. */
  readonly names: readonly string[];
  readonly classes: readonly string[];
  readonly onClose: () => void;
}

/** So many hosts are previewed while somebody types: their rows are locked meanwhile. */
const fewHosts = 100;

/** The same for hosts that were selected in a list; an empty field stays as it is. */
export function EditInventories({ names, classes, onClose }: EditInventoriesProps) {
  // The list behind the dialog changes.
  const [scopes] = useState(() => scopesOfHosts(names));
  return <InventoryDialog classes={classes} before={null} follows={names.length <= fewHosts} scopes={scopes} onClose={onClose} />;
}

interface InventoryDialogProps {
  /** The classes to choose from. */
  readonly classes: readonly string[];
  /** The current values; null if they differ between the inventories. */
  readonly before: { readonly reserved: number; readonly allocationRatio: number } | null;
  /** Whether the preview follows what is typed. Without it, it is made only when asked for. */
  readonly follows: boolean;
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
  /** The uuids of those of its hosts that are disabled. */
  readonly disabled: ReadonlySet<string>;
}

function InventoryDialog({ classes, before, follows, scopes, onClose }: InventoryDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    resourceClass: classes[0] ?? '',
    reserved: String(before?.reserved ?? ''),
    ratio: String(before?.allocationRatio ?? ''),
    which: 0,
  });
  const { resourceClass } = draft;
  const form = useRef<HTMLFormElement>(null);
  const scope = scopes[draft.which] ?? scopes[0];
  const { preview, problem, isLooking, look, forget } = usePreview(before, scopes);
  const change = (next: Partial<Draft>) => {
    const changed = { ...draft, ...next };
    setDraft(changed);
    // A number that cannot be read looks like an empty field.
    if (follows && form.current?.checkValidity()) look(changed, typingPause);
    else forget();
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
        form={form}
        draft={draft}
        classes={classes}
        scopes={scopes}
        isRequired={before !== null}
        isLooking={isLooking}
        onChange={change}
        onUnreadable={forget}
        onPreview={() => look(draft)}
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

/** Milliseconds without a change after which a draft is previewed. */
const typingPause = 600;

/** Previews when asked to, now or after a pause, one after the other. The answer for a draft that was changed meanwhile is dropped. */
function usePreview(before: InventoryDialogProps['before'], scopes: InventoryDialogProps['scopes']) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const latest = useRef(0);
  const running = useRef(Promise.resolve());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = () => {
    clearTimeout(timer.current);
    latest.current += 1;
    setPreview(null);
    setProblem(null);
    setLooking(false);
  };
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      latest.current += 1;
    },
    [],
  );
  const look = (draft: Draft, pause = 0) => {
    forget();
    const patch = patchOf(draft, before);
    const isEmpty = Object.keys(patch).length === 0;
    if (isEmpty && pause === 0) setProblem('Nothing differs yet.');
    if (isEmpty) return;
    const own = latest.current;
    const show = (found: Preview | null, said: string | null) => {
      if (own !== latest.current) return;
      setLooking(false);
      setPreview(found);
      setProblem(said);
    };
    timer.current = setTimeout(() => {
      setLooking(true);
      running.current = running.current.then(async () => {
        if (own !== latest.current) return;
        try {
          const { preview: found, refused } = await previewOf(draft.resourceClass, patch, scopes[draft.which] ?? scopes[0]);
          show(found, refused);
        } catch (error) {
          show(null, error instanceof Error ? error.message : String(error));
        }
      });
    }, pause);
  };
  return { preview, problem, isLooking, look, forget };
}

async function previewOf(
  resourceClass: string,
  patch: Patch,
  scope: Scope,
): Promise<{ readonly preview: Preview | null; readonly refused: string | null }> {
  const { select, leftOut } = await scope.select(resourceClass);
  const found = await previewPatch({ select, resourceClass, patch });
  const refusals = found?.patched.userErrors ?? [];
  const disabled = await disabledAmong([...new Set((found?.patched.changes ?? []).map(rootOf))]);
  return {
    preview: found && refusals.length === 0 ? { ...found, leftOut, disabled } : null,
    refused: refusals.map((refusal) => `${refusal.code}: ${refusalWords(refusal)}`).join(' ') || null,
  };
}

interface InventoryFormProps extends Pick<InventoryDialogProps, 'classes' | 'scopes'> {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly draft: Draft;
  /** Whether every field needs a value. */
  readonly isRequired: boolean;
  readonly isLooking: boolean;
  readonly onChange: (next: Partial<Draft>) => void;
  readonly onUnreadable: () => void;
  readonly onPreview: () => void;
}

function InventoryForm({ form, draft, classes, scopes, isRequired, isLooking, onChange, onUnreadable, onPreview }: InventoryFormProps) {
  const { resourceClass, reserved, ratio, which } = draft;
  const unit = unitOf(resourceClass);
  return (
    <form
      ref={form}
      className={layout.filters}
      onInput={({ currentTarget }) => {
        if (!currentTarget.checkValidity()) onUnreadable();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onPreview();
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

function PreviewShown({ preview: { input, patched, leftOut, disabled } }: { readonly preview: Preview }) {
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
        {disabled.size > 0 && <p className={layout.warning}>✕ {disabledWords(disabled.size)}</p>}
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
              <Name>{change.resourceProvider?.name ?? change.resourceProviderUuid}</Name>
              {disabled.has(rootOf(change)) && <span className={layout.warning}> ✕ disabled</span>}: {changeWords(change, resourceClass)}
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
