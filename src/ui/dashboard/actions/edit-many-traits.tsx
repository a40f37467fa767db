// Sets a trait on the selected hosts, or removes it, in one write. The preview is the write, rolled back.
import { useCallback, useEffect, useRef, useState } from 'react';
import { ask } from '../data/ask.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { PatchTraits, type PatchTraitsMutation } from './actions.generated.ts';
import { disabledAmong, disabledWords } from './disabled-hosts.ts';
import { DisabledNote } from './edit-traits.tsx';
import { countHosts } from './inventory-patch.ts';
import { newKey, refusalWords } from './outcome.ts';
import { type Draft, disabledTrait, goneWords, traitsOf } from './trait-draft.ts';
import { writeTrait } from './trait-write.ts';

type Changes = NonNullable<NonNullable<PatchTraitsMutation['patchTraits']>['changes']>;

interface EditManyTraitsProps {
  /** Names of providers. */
  readonly names: readonly string[];
  /** What the person has chosen already; null if the person chooses here. */
  readonly given: Draft | null;
  readonly onClose: () => void;
}

const manyShown = 10;

const uuidsOf = (changes: Changes) => changes.map(({ resourceProviderUuid }) => resourceProviderUuid);

interface Previewed {
  readonly changes: Changes;
  readonly matchedCount: number;
  readonly key: string;
  /** Of those that change, the uuids of disabled ones. */
  readonly disabled: ReadonlySet<string>;
}

export function EditManyTraits({ names: selected, given, onClose }: EditManyTraitsProps) {
  // The table behind the dialog changes: after the write its filter may hide them.
  const [names] = useState(selected);
  const [draft, setDraft] = useState<Draft>(given ?? { trait: '', isTaken: false });
  const [preview, setPreview] = useState<Previewed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { trait, isTaken } = draft;
  /** The answer for a draft that was changed meanwhile is dropped. */
  const asked = useRef<Draft | null>(null);
  const change = (next: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...next }));
    setPreview(null);
    asked.current = null;
  };
  const look = useCallback(
    async (draft: Draft) => {
      asked.current = draft;
      try {
        const { patchTraits } = await ask(PatchTraits, {
          input: { select: { filter: { names } }, ...traitsOf(draft), dryRun: true },
        });
        setProblem(patchTraits?.userErrors.map((refusal) => `${refusal.code}: ${refusalWords(refusal)}`).join(' ') || null);
        if (patchTraits?.userErrors.length === 0) {
          const { changes, matchedCount } = patchTraits;
          // That they are disabled or not is what the preview of this trait is about.
          const disabled = draft.trait === disabledTrait ? new Set<string>() : await disabledAmong(uuidsOf(changes ?? []));
          if (asked.current === draft) setPreview({ changes: changes ?? [], matchedCount, key: newKey(), disabled });
        }
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
      }
    },
    [names],
  );
  // A choice made outside the dialog is previewed at once.
  useEffect(() => {
    if (given) void look(given);
  }, [given, look]);
  const count = preview?.changes.length ?? 0;
  const selectedHosts = names.length === 1 ? 'the selected host' : 'the selected hosts';
  const action = isTaken ? 'Enable' : 'Disable';
  return (
    <ActionDialog
      title={given?.trait === disabledTrait ? `${action} ${selectedHosts}` : `A trait of ${selectedHosts}`}
      confirm={confirmWords(count, draft)}
      // Exactly the providers of the preview.
      onConfirm={() => writeTrait(uuidsOf(preview?.changes ?? []), draft, preview?.key ?? newKey())}
      onClose={onClose}
    >
      {given === null && <TraitForm draft={draft} onChange={change} onPreview={() => look(draft)} />}
      {problem !== null && (
        <p role="alert" className={layout.warning}>
          {problem}
        </p>
      )}
      {preview && <Preview preview={preview} names={names} draft={draft} />}
      <DisabledNote name={trait} isTaken={isTaken} />
    </ActionDialog>
  );
}

interface TraitFormProps {
  readonly draft: Draft;
  readonly onChange: (next: Partial<Draft>) => void;
  readonly onPreview: () => Promise<void>;
}

function TraitForm({ draft: { trait, isTaken }, onChange, onPreview }: TraitFormProps) {
  return (
    <form
      className={layout.filters}
      onSubmit={(event) => {
        event.preventDefault();
        void onPreview();
      }}
    >
      <label>
        Trait
        <input required value={trait} pattern="[A-Z0-9_]+" onChange={({ target }) => onChange({ trait: target.value.toUpperCase() })} />
      </label>
      <label>
        Action
        <select value={String(isTaken)} onChange={({ target }) => onChange({ isTaken: target.value === 'true' })}>
          <option value="false">set it</option>
          <option value="true">remove it</option>
        </select>
      </label>
      <button type="submit">Preview</button>
    </form>
  );
}

function confirmWords(count: number, { trait, isTaken }: Draft): string | null {
  if (count === 0) return null;
  const hosts = countHosts(count);
  if (trait === disabledTrait) return `${isTaken ? 'Enable' : 'Disable'} ${hosts}`;
  return isTaken ? `Remove ${trait} from ${hosts}` : `Set ${trait} on ${hosts}`;
}

interface PreviewProps {
  readonly preview: Previewed;
  /** Of the selected hosts. */
  readonly names: readonly string[];
  readonly draft: Draft;
}

/** Says of every selected host whether it changes, and why not. */
function Preview({ preview: { changes, matchedCount, disabled }, names, draft: { trait, isTaken } }: PreviewProps) {
  const count = changes.length;
  const sameCount = matchedCount - count;
  const gone = names.length - matchedCount;
  const changed = new Set(changes.map(({ resourceProvider }) => resourceProvider?.name));
  const same = names.filter((name) => !changed.has(name));
  return (
    <div role="status">
      {count === 0 ? (
        <p>Nothing would change.</p>
      ) : (
        <p>
          {countHosts(count)} will {isTaken ? 'no longer have' : 'have'} the trait {trait}; {count === 1 ? 'its' : 'their'} other traits
          stay:
        </p>
      )}
      {disabled.size > 0 && <p className={layout.warning}>✕ {disabledWords(disabled.size)}</p>}
      <Some changes={changes} disabled={disabled} />
      {sameCount > 0 && (
        <p>
          {countHosts(sameCount)} {sameWords(sameCount, isTaken)}
          {/* Of hosts that are gone it is not known which these are. */}
          {gone === 0 && sameCount <= manyShown && count > 0 && (
            <>
              : <Name>{same.join(', ')}</Name>
            </>
          )}
          .
        </p>
      )}
      {gone > 0 && <p>{goneWords(gone)}.</p>}
    </div>
  );
}

function sameWords(count: number, isTaken: boolean): string {
  if (isTaken) return count === 1 ? 'does not have it' : 'do not have it';
  return count === 1 ? 'has it already' : 'have it already';
}

function Some({ changes, disabled }: Pick<Previewed, 'changes' | 'disabled'>) {
  return (
    <>
      <ul>
        {changes.slice(0, manyShown).map(({ resourceProvider, resourceProviderUuid }) => (
          <li key={resourceProviderUuid}>
            <Name>{resourceProvider?.name ?? resourceProviderUuid}</Name>
            {disabled.has(resourceProviderUuid) && <span className={layout.warning}> ✕ disabled</span>}
          </li>
        ))}
      </ul>
      {changes.length > manyShown && <p>and {countHosts(changes.length - manyShown)} more.</p>}
    </>
  );
}
