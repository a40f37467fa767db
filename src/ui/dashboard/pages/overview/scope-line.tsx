// Says which part of the cloud the page is about, edits the inventories of its hosts, and leads back to the whole.
import { useState } from 'react';
import { EditInventories } from '../../actions/edit-inventory.tsx';
import { countHosts } from '../../actions/inventory-patch.ts';
import { mostNames } from '../../actions/inventory-scope.ts';
import { useRight } from '../../actions/rights.ts';
import type { CloudColumns } from '../../data/map-columns.ts';
import { Name } from '../../parts/name.tsx';
import styles from './overview.module.css';

interface ScopeLineProps {
  readonly path: readonly string[];
  /** Null until they are loaded. */
  readonly columns: CloudColumns | null;
  readonly hosts: readonly number[] | null;
  /** The class of the map comes first. */
  readonly classes: readonly string[];
  /** Whether the gateway lists the writes and consumers of these hosts, too. */
  readonly areListsScoped: boolean;
  readonly onLeave: () => void;
}

export default function ScopeLine({ path, columns, hosts, classes, areListsScoped, onLeave }: ScopeLineProps) {
  /** The names of the hosts whose inventories are edited. */
  const [edited, setEdited] = useState<readonly string[] | null>(null);
  const mayPatch = useRight('placement:resource_providers:inventories:update');
  const canEdit = mayPatch && columns !== null && hosts !== null && hosts.length > 0 && hosts.length <= mostNames;
  return (
    <>
      <p className={styles.scope} role="status">
        {areListsScoped ? 'Everything' : 'Capacity'} here is about{' '}
        <strong>
          <Name>{path.join(' · ')}</Name>
        </strong>
        {hosts !== null && ` (${countHosts(hosts.length)})`}
        {areListsScoped ? '. ' : '; consumers and writes are those of the whole cloud. '}
        {canEdit && (
          <button type="button" onClick={() => setEdited(hosts.map((host) => columns.names[host] ?? ''))}>
            Edit inventory…
          </button>
        )}{' '}
        <button type="button" onClick={onLeave}>
          Show the whole cloud
        </button>
      </p>
      {edited && <EditInventories names={edited} classes={classes} onClose={() => setEdited(null)} />}
    </>
  );
}
