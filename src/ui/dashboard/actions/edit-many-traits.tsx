// Sets a trait on the selected hosts, or removes it, in one write. The preview is the write, rolled back.
import { useCallback, useEffect, useState } from 'react';
import { ask } from '../data/ask.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { PatchTraits, type PatchTraitsInput, type PatchTraitsMutation } from './actions.generated.ts';
import { DisabledNote, disabledTrait } from './edit-traits.tsx';
import { countHosts } from './inventory-patch.ts';
import { newKey, type Outcome, outcomeOf, refusalWords } from './outcome.ts';

type Changes = NonNullable<NonNullable<PatchTraitsMutation['patchTraits']>['changes']>;

interface EditManyTraitsProps {
  /** Names of providers. */
  readonly names: readonly string[];
  /** What the person has chosen already; null if the person chooses here. */
  readonly given: Draft | null;
  readonly onClose: () => void;
}

const manyShown = 10;

interface Previewed {
  readonly changes: Changes;
  readonly matchedCount: number;
  readonly key: string;
}

export interface Draft {
  readonly trait: string;
  /** Whether it is removed, not set. */
  readonly isTaken: boolean;
}

export function EditManyTraits({ names: selected, given, onClose }: EditManyTraitsProps) {
  // The table behind the dialog changes: after the write its filter may hide them.
  const [names] = useState(selected);
  const [draft, setDraft] = useState<Draft>(given ?? { trait: '', isTaken: false });
  const [preview, setPreview] = useState<Previewed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { trait, isTaken } = draft;
  const change = (next: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...next }));
    setPreview(null);
  };
  const look = useCallback(
    async ({ trait, isTaken }: Draft) => {
      try {
        const { patchTraits } = await ask(PatchTraits, {
          input: { select: { filter: { names } }, ...traitsOf(trait, isTaken), dryRun: true },
        });
        setProblem(patchTraits?.userErrors.map((refusal) => `${refusal.code}: ${refusalWords(refusal)}`).join(' ') || null);
        if (patchTraits?.userErrors.length === 0) {
          setPreview({ changes: patchTraits.changes ?? [], matchedCount: patchTraits.matchedCount, key: newKey() });
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
      onConfirm={() => write(preview?.changes ?? [], trait, isTaken, preview?.key ?? newKey())}
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
function Preview({ preview: { changes, matchedCount }, names, draft: { trait, isTaken } }: PreviewProps) {
  const count = changes.length;
  const sameCount = matchedCount - count;
  const gone = names.length - matchedCount;
  const changed = changes.map(({ resourceProvider, resourceProviderUuid }) => resourceProvider?.name ?? resourceProviderUuid);
  const same = names.filter((name) => !changed.includes(name));
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
      <Some names={changed} />
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
      {gone > 0 && <p>{gone === 1 ? '1 host no longer exists.' : `${countHosts(gone)} no longer exist.`}</p>}
    </div>
  );
}

function sameWords(count: number, isTaken: boolean): string {
  if (isTaken) return count === 1 ? 'does not have it' : 'do not have it';
  return count === 1 ? 'has it already' : 'have it already';
}

function Some({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      <ul>
        {names.slice(0, manyShown).map((name) => (
          <li key={name}>
            <Name>{name}</Name>
          </li>
        ))}
      </ul>
      {names.length > manyShown && <p>and {countHosts(names.length - manyShown)} more.</p>}
    </>
  );
}

const traitsOf = (trait: string, isTaken: boolean): Pick<PatchTraitsInput, 'add' | 'remove'> =>
  isTaken ? { remove: [trait] } : { add: [trait] };

/** Writes to exactly the providers of the preview, in whatever state they are now: claims raise their generations, and their other traits stay. */
async function write(previewed: Changes, trait: string, isTaken: boolean, key: string, isUndo = false): Promise<Outcome> {
  const input: PatchTraitsInput = {
    select: {
      many: previewed.map(({ resourceProviderUuid }) => ({ resourceProvider: resourceProviderUuid, expect: { unchecked: true } })),
    },
    ...traitsOf(trait, isTaken),
    expectedCount: previewed.length,
    dryRun: false,
    idempotencyKey: key,
  };
  const { patchTraits } = await ask(PatchTraits, { input });
  const changes = patchTraits?.changes ?? [];
  return outcomeOf(patchTraits?.userErrors, {
    said: isUndo ? 'Undone: they have the traits they had before.' : `Changed ${countHosts(changes.length)}.`,
    undo: isUndo ? null : () => write(changes, trait, !isTaken, newKey(), true),
  });
}
