// Sets a trait on a provider or removes it, including the one that disables a host.
import { useState } from 'react';
import { Name } from '../parts/name.tsx';
import layout from '../parts/page.module.css';
import { ActionDialog } from './action-dialog.tsx';
import { newKey } from './outcome.ts';
import { disabledTrait } from './trait-draft.ts';
import { writeTrait } from './trait-write.ts';

interface TraitHolder {
  readonly uuid: string;
  readonly name: string;
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
      onConfirm={() => writeTrait([provider.uuid], { trait: name, isTaken: has }, key)}
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
