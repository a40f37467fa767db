// A process that only starts the embedded Postgres, to be run as another user and to be killed: see gateways.ts.
// Loads everything before it changes to a user that may not be able to read the source.
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/postgres/launcher.ts';

export interface Orders {
  readonly options: EmbeddedPostgresOptions;
  readonly uid: number | undefined;
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
if (orders.uid !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(orders.uid);
  process.setuid?.(orders.uid);
}
try {
  const server = await startEmbeddedPostgres(orders.options);
  process.on('message', () => void server.stop().then(() => process.disconnect()));
  process.send?.({ target: server.target });
} catch (error) {
  process.send?.({ failure: (error as Error).message });
}
