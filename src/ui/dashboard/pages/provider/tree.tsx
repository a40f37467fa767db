// The providers of a tree, parents before children, each with a line for each of its inventories.
import { useState } from 'react';
import { EditInventory } from '../../actions/edit-inventory.tsx';
import { EditTraits } from '../../actions/edit-traits.tsx';
import { useRight } from '../../actions/rights.ts';
import { disabledTrait } from '../../actions/trait-draft.ts';
import { visible } from '../../formats/names.ts';
import { InventoryLine } from '../../parts/inventory-line.tsx';
import { ProviderLink } from '../../parts/links.tsx';
import { Name } from '../../parts/name.tsx';
import layout from '../../parts/page.module.css';
import type { TreeMemberFragment } from './provider.generated.ts';
import styles from './tree.module.css';
import { inTreeOrder } from './tree-order.ts';

/** What reservations keep of the inventories of a tree. */
export type Promises = ReadonlyMap<string, number>;

export const placeOf = (uuid: string, resourceClass: string): string => `${uuid} ${resourceClass}`;

interface TreeProps {
  readonly members: readonly TreeMemberFragment[];
  readonly focus: string;
  /** By `placeOf`. */
  readonly promises: Promises;
}

export function Tree({ members, focus, promises }: TreeProps) {
  const mayPatch = useRight('placement:resource_providers:inventories:update');
  const mayTrait = useRight('placement:resource_providers:traits:update');
  const [edited, setEdited] = useState<{
    readonly member: TreeMemberFragment;
    readonly inventory: TreeMemberFragment['inventories'][number];
  } | null>(null);
  const root = members.find(({ depth }) => depth === 0);
  const [traited, setTraited] = useState<{ readonly member: TreeMemberFragment; readonly trait: string | null } | null>(null);
  return (
    <>
      <ul className={styles.tree} aria-label="Providers of the tree">
        {inTreeOrder(members).map((member) => (
          <li key={member.uuid} className={styles.member} aria-current={member.uuid === focus ? 'true' : undefined}>
            <div className={styles.name} style={{ paddingLeft: `${member.depth * 1.25}rem` }}>
              {member.depth > 0 && <span aria-hidden="true">└ </span>}
              {member.uuid === focus ? (
                <strong>
                  <Name>{member.name}</Name>
                </strong>
              ) : (
                <ProviderLink provider={member} />
              )}
              <Traits member={member} onEdit={mayTrait ? (trait) => setTraited({ member, trait }) : null} />
            </div>
            <ul className={styles.inventories}>
              {member.inventories.length === 0 && <li className={layout.muted}>no inventory</li>}
              {member.inventories.map((inventory) => (
                <li key={inventory.resourceClass.name} className={styles.inventory}>
                  <InventoryLine amounts={inventory} promised={promises.get(placeOf(member.uuid, inventory.resourceClass.name))} />
                  {mayPatch && (
                    <button
                      type="button"
                      aria-label={`Edit ${inventory.resourceClass.name} of ${visible(member.name)}`}
                      onClick={() => setEdited({ member, inventory })}
                    >
                      Edit
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {edited && (
        <EditInventory provider={edited.member} root={root ?? edited.member} inventory={edited.inventory} onClose={() => setEdited(null)} />
      )}
      {traited && <EditTraits provider={traited.member} trait={traited.trait} onClose={() => setTraited(null)} />}
    </>
  );
}

interface TraitsProps {
  readonly member: TreeMemberFragment;
  /** Null if the caller may not edit traits. */
  readonly onEdit: ((trait: string | null) => void) | null;
}

function Traits({ member: { traitNames: names, depth, isSharing }, onEdit }: TraitsProps) {
  const isDisabled = names.includes(disabledTrait);
  return (
    <>
      {isDisabled && <p className={layout.warning}>✕ disabled</p>}
      {(names.length > 0 || onEdit) && (
        <details>
          <summary className={layout.muted}>{names.length === 1 ? '1 trait' : `${names.length} traits`}</summary>
          <ul className={layout.chips}>
            {names.map((name) => (
              <li key={name} className={layout.chip}>
                <Name>{name}</Name>{' '}
                {onEdit && (
                  <button type="button" className={styles.away} aria-label={`Remove ${name}`} onClick={() => onEdit(name)}>
                    ✕
                  </button>
                )}
              </li>
            ))}
          </ul>
          {onEdit && (
            <button type="button" onClick={() => onEdit(null)}>
              Set a trait …
            </button>
          )}
        </details>
      )}
      {onEdit && depth === 0 && !isSharing && (
        <button type="button" onClick={() => onEdit(disabledTrait)}>
          {isDisabled ? 'Enable …' : 'Disable …'}
        </button>
      )}
    </>
  );
}
