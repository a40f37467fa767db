// The actions on the hosts that are selected in the table, each in one write.
import { useState } from 'react';
import { EditInventories } from '../../actions/edit-inventory.tsx';
import { EditManyTraits } from '../../actions/edit-many-traits.tsx';
import { countHosts } from '../../actions/inventory-patch.ts';
import { mostNames } from '../../actions/inventory-scope.ts';
import { useRight } from '../../actions/rights.ts';
import { type Draft, disabledTrait } from '../../actions/trait-draft.ts';
import { formatCount } from '../../formats/amounts.ts';

export function useSelectionRights() {
  return {
    mayPatch: useRight('placement:resource_providers:inventories:update'),
    mayTrait: useRight('placement:resource_providers:traits:update'),
  };
}

interface WithSelectedProps {
  readonly names: readonly string[];
  readonly classes: readonly string[];
  readonly rights: ReturnType<typeof useSelectionRights>;
  readonly onClear: () => void;
}

const disabling: Draft = { trait: disabledTrait, isTaken: false };
const enabling: Draft = { trait: disabledTrait, isTaken: true };

export function WithSelected({ names, classes, rights: { mayPatch, mayTrait }, onClear }: WithSelectedProps) {
  const [opened, setOpened] = useState<'inventory' | 'trait' | Draft | null>(null);
  const close = () => setOpened(null);
  const isTooMuch = names.length > mostNames;
  return (
    <div>
      <span role="status">
        {countHosts(names.length)} selected{isTooMuch && `: at most ${formatCount(mostNames)} can be changed at once`}.
      </span>{' '}
      {mayPatch && classes.length > 0 && (
        <button type="button" disabled={isTooMuch} onClick={() => setOpened('inventory')}>
          Edit inventory…
        </button>
      )}{' '}
      {mayTrait && (
        <>
          <button type="button" disabled={isTooMuch} onClick={() => setOpened(disabling)}>
            Disable…
          </button>{' '}
          <button type="button" disabled={isTooMuch} onClick={() => setOpened(enabling)}>
            Enable…
          </button>{' '}
          <button type="button" disabled={isTooMuch} onClick={() => setOpened('trait')}>
            Set or remove a trait…
          </button>
        </>
      )}{' '}
      <button type="button" onClick={onClear}>
        Clear selection
      </button>
      {opened === 'inventory' && <EditInventories names={names} classes={classes} onClose={close} />}
      {opened !== null && opened !== 'inventory' && (
        <EditManyTraits names={names} given={opened === 'trait' ? null : opened} onClose={close} />
      )}
    </div>
  );
}
