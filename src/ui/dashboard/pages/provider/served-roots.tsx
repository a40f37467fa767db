// The trees that a pool serves.
import { formatCount } from '../../formats/amounts.ts';
import { ProviderLink } from '../../parts/links.tsx';
import layout from '../../parts/page.module.css';
import { More, usePages } from '../../parts/pages-of.tsx';
import { Answered } from '../../parts/states.tsx';
import { ServedRoots } from './provider.generated.ts';

export function ServedRootsList({ provider: { uuid } }: { readonly provider: { readonly uuid: string } }) {
  const { query, first, more, isReading } = usePages(ServedRoots, { uuid }, ({ resourceProvider }) => resourceProvider?.servesRoots);
  return (
    <section className={layout.section} aria-label="Serves">
      <h2>Serves {formatCount(first?.resourceProvider?.servesRoots.totalCount ?? 0)} trees</h2>
      <Answered query={query}>
        {(roots) => (
          <ul className={layout.chips}>
            {roots.map((root) => (
              <li key={root.uuid} className={layout.chip}>
                <ProviderLink provider={root} />
              </li>
            ))}
          </ul>
        )}
      </Answered>
      <More more={more} isReading={isReading} />
    </section>
  );
}
