// Sets a trait on a provider or removes it, including the one that disables a host.
import { useState } from 'react';
import { ask } from '../data/ask.ts';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { ReplaceTraits, type ReplaceTraitsInput } from './actions.generated.ts';
import { newKey, type Outcome, outcomeOf } from './outcome.ts';

export const disabledTrait = 'COMPUTE_STATUS_DISABLED';

interface TraitHolder {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly traitNames: readonly string[];
}

interface EditTraitsProps {
  readonly provider: TraitHolder;
  /** The trait to set or remove; null if the person types one. */
  readonly trait: string | null;
  readonly onClose: () => void;
}

export function EditTraits({ provider, trait, onClose }: EditTraitsProps) {
  const [written, setWritten] = useState('');
  const [key] = useState(newKey);
  const name = trait ?? written.trim();
  const has = provider.traitNames.includes(name);
  return (
    <ActionDialog
      title={
        <>
          Traits of <Name>{provider.name}</Name>
        </>
      }
      confirm={name === '' ? null : has ? `Remove ${name}` : `Set ${name}`}
      onConfirm={() =>
        write(provider, has ? provider.traitNames.filter((one) => one !== name) : [...provider.traitNames, name], provider.generation, key)
      }
      onClose={onClose}
    >
      {trait === null && (
        <p>
          <label>
            Trait <input value={written} pattern="[A-Z0-9_]+" onChange={({ target }) => setWritten(target.value.toUpperCase())} />
          </label>
        </p>
      )}
      {name !== '' && (
        <p>
          <Name>{provider.name}</Name> {has ? 'will no longer have' : 'will have'} the trait <Name>{name}</Name>. Its{' '}
          {provider.traitNames.length} other traits stay.
        </p>
      )}
      <DisabledNote name={name} isTaken={has} />
    </ActionDialog>
  );
}

export function DisabledNote({ name, isTaken }: { readonly name: string; readonly isTaken: boolean }) {
  if (name !== disabledTrait) return null;
  return (
    <p>
      {isTaken ? 'New servers can be placed there again.' : 'Nothing new will be placed there; what runs there stays.'}{' '}
      <span className={layout.muted}>
        Nova sets this trait itself from the state of its service: to disable a host for good, disable the service in Nova, too.
      </span>
    </p>
  );
}

async function write(provider: TraitHolder, traits: readonly string[], generation: number, key: string, isUndo = false): Promise<Outcome> {
  const input: ReplaceTraitsInput = { resourceProvider: provider.uuid, expect: { generation }, traits, idempotencyKey: key };
  const { replaceTraits } = await ask(ReplaceTraits, { input });
  const next = replaceTraits?.resourceProvider?.generation;
  return outcomeOf(replaceTraits?.userErrors, {
    said: isUndo ? 'Undone: it has the traits it had before.' : 'Written.',
    undo: isUndo || next === undefined ? null : () => write(provider, provider.traitNames, next, newKey(), true),
  });
}
