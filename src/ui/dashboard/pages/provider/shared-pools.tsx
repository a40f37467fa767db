// The pools that serve a provider: what all trees use of them, and what this tree uses.
import { formatAmount } from '../../formats/amounts.ts';
import { InventoryLine } from '../../parts/inventory-line.tsx';
import { ProviderLink } from '../../parts/links.tsx';
import layout from '../../parts/page.module.css';
import type { ProviderPageFragment } from './provider.generated.ts';
import styles from './tree.module.css';

export function SharedPools({ pools }: { readonly pools: ProviderPageFragment['sharedPools'] }) {
  if (pools.length === 0) return null;
  return (
    <section className={layout.section} aria-label="Shared pools">
      <h2>Shared pools</h2>
      <ul>
        {pools.map(({ resourceProvider, inventory, usedHere }) => (
          <li key={`${resourceProvider.uuid} ${inventory.resourceClass.name}`} className={styles.member}>
            <div className={styles.name}>
              <ProviderLink provider={resourceProvider} />
              <p className={layout.muted}>{formatAmount(usedHere, inventory.resourceClass.name)} of it used here</p>
            </div>
            <InventoryLine amounts={inventory} isThin />
          </li>
        ))}
      </ul>
    </section>
  );
}
