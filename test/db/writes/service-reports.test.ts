// Reports of one service at once: each event begins where the one before it ended, and what changes nothing writes none.
import { expect, test } from 'vitest';
import { writeAny } from '../../support/any-write.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const program = 'nova-compute';

const report = (host: string, version: number | null) =>
  writeAny(database.db, 'report_service', { host, program, version, minimumOf: program });

/** What the events say of a service, in their order. */
async function changesOf(host: string): Promise<{ before: object | null; after: object | null }[]> {
  const subject = `${program} ${host}`;
  const rows = await database.db.sql<{ change: { before: object | null; after: object | null } }[]>`
    select changes #> array['services', ${subject}] as change from events
    where jsonb_exists(changes -> 'services', ${subject}) order by id`;
  return rows.map(({ change }) => change);
}

test('of many equal concurrent reports of a new service, one writes an event', async () => {
  for (let round = 0; round < 20; round++) {
    const host = `host ${round}`;
    await Promise.all(Array.from({ length: 6 }, () => report(host, 66)));
    expect(await changesOf(host)).toEqual([{ before: null, after: { version: 66 } }]);
  }
});

test('concurrent reports of several versions and removals make a chain of events that ends at the record', async () => {
  const versions = [66, 67, null, 68, 66, null, 69, 67];
  for (let round = 0; round < 20; round++) {
    const host = `changing ${round}`;
    await Promise.all(versions.map((version) => report(host, version)));
    let known: object | null = null;
    for (const { before, after } of await changesOf(host)) {
      expect(before).toEqual(known);
      known = after;
    }
    const [row = null] = await database.db.sql`select version from services where host = ${host}`;
    expect(row).toEqual(known);
  }
});
