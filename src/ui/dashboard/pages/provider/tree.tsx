// The providers of a tree, parents before children, each with a line for each of its inventories.
import { Name } from '../../name.tsx';
import { InventoryLine } from '../../parts/bar.tsx';
import { ProviderLink } from '../../parts/links.tsx';
import layout from '../../parts/page.module.css';
import type { TreeMemberFragment } from './provider.generated.ts';
import styles from './tree.module.css';
import { inTreeOrder } from './tree-order.ts';

const disabledTrait = 'COMPUTE_STATUS_DISABLED';

export function Tree({ members, focus }: { readonly members: readonly TreeMemberFragment[]; readonly focus: string }) {
  return (
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
            <Traits names={member.traitNames} />
          </div>
          <ul className={styles.inventories}>
            {member.inventories.length === 0 && <li className={layout.muted}>no inventory</li>}
            {member.inventories.map((inventory) => (
              <li key={inventory.resourceClass.name}>
                <InventoryLine amounts={inventory} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Traits({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.includes(disabledTrait) && <p className={layout.warning}>✕ disabled</p>}
      {names.length > 0 && (
        <details>
          <summary className={layout.muted}>{names.length === 1 ? '1 trait' : `${names.length} traits`}</summary>
          <ul className={layout.chips}>
            {names.map((name) => (
              <li key={name} className={layout.chip}>
                <Name>{name}</Name>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
