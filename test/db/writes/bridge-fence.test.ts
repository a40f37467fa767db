// Whether callers may write to the ledger, by the mode of the bridge to another Placement.
import { expect, test } from 'vitest';
import { applyWrite } from '../../../src/db/writes/apply-write.ts';
import { Following } from '../../../src/domain/errors.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
const by = { user: 'u', project: 'p', roles: [], requestId: 'req-fence' };
const later = `now() + interval '1 hour'`;
const over = `now() - interval '1 second'`;

async function stand(mode: string, until = 'null'): Promise<void> {
  await database.own.unsafe(`
    insert into bridge (url, mode, until, carrier_epoch) values ('http://placement.example', '${mode}', ${until}, 7)
    on conflict (id) do update set mode = excluded.mode, until = excluded.until`);
}

const write = (name: string, carrier?: number) =>
  applyWrite(database.db, 'create_trait', { name }, { by, ...(carrier !== undefined && { carrier }) });

test.each([
  ['leading', 'null'],
  ['ended', 'null'],
  ['toFollowing', over],
])('callers write while the bridge is %s (until %s)', async (mode, until) => {
  await stand(mode, until);
  expect(await write(`CUSTOM_OF_${mode.toUpperCase()}`)).toMatchObject({ created: true });
});

test.each([
  ['following', 'null'],
  ['toLeading', later],
  ['passing', 'null'],
  ['toFollowing', later],
])('callers do not write while the bridge is %s (until %s)', async (mode, until) => {
  await stand(mode, until);
  await expect(write('CUSTOM_NEVER')).rejects.toThrow(Following);
});

test('what carries over writes while the other side leads, but not after it was replaced, nor while this side leads', async () => {
  await stand('following');
  expect(await write('CUSTOM_CARRIED', 7)).toMatchObject({ created: true });
  await expect(write('CUSTOM_NEVER', 6)).rejects.toThrow(Following);
  await stand('leading');
  await expect(write('CUSTOM_NEVER', 7)).rejects.toThrow(Following);
});
