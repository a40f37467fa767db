// Writes while the disk of the database is full: refused with the reason, before they are sent, and done again when there is space.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyWrite } from '../../../src/db/writes/apply-write.ts';
import { diskOf } from '../../../src/db/writes/full-disk.ts';
import { DiskFull } from '../../../src/domain/errors.ts';
import { limits } from '../../../src/domain/limits.ts';
import { startServer } from '../../../src/listener/server.ts';
import { createLogger } from '../../../src/logs/process-log.ts';
import { readSettings } from '../../../src/settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const by = { user: 'admin', project: 'admin', roles: ['admin'], requestId: 'req-test' };
let created = 0;
const create = () => applyWrite(database.db, 'create_trait', { name: `CUSTOM_T${created++}` }, { by });

/** Lets Postgres find no room for any event, as it says when a file cannot grow. */
const fill = () =>
  database.own.unsafe(`
    create function placement.no_room() returns trigger language plpgsql as $$
      begin raise sqlstate '53100' using message = 'could not extend file "base/1/2": No space left on device'; end $$;
    create trigger no_room before insert on events for each row execute function placement.no_room();`);
const free = () => database.own.unsafe('drop trigger no_room on events; drop function placement.no_room();');

test('a write without disk space is refused with the reason, later ones are not sent, and are done as soon as there is space', async () => {
  const lines: string[] = [];
  diskOf(database.db).report = (line) => void lines.push(line);
  await create();
  await fill();
  await expect(create()).rejects.toEqual(new DiskFull(undefined));
  database.statements.length = 0;
  await expect(create()).rejects.toThrow('Nothing was written: the disk of the database is full.');
  expect(database.statements).toEqual([]);
  expect(lines).toEqual(['the disk of the database is full: writes are refused']);
  await free();
  await expect
    .poll(() =>
      create().then(
        () => 'done',
        ({ name }: Error) => name,
      ),
    )
    .toBe('done');
  expect(lines).toEqual([expect.anything(), 'the disk of the database has space again: writes are done']);
});

test('both APIs answer writes with 503 and the reason and keep answering reads, and the gateway stays ready and reports it', async () => {
  const { settings } = readSettings({ PLACEMENT_PORT: '0' });
  const { url, close } = await startServer({ settings, db: database.db, log: createLogger({ level: 'silent' }).log });
  const call = (path: string, options: RequestInit = {}) =>
    fetch(url + path, {
      ...options,
      headers: { 'x-auth-token': 'admin', 'content-type': 'application/json', 'openstack-api-version': 'placement 1.39' },
    });
  const ask = async (query: string) => (await call('/graphql', { method: 'POST', body: JSON.stringify({ query }) })).json();
  const message = 'Nothing was written: the disk of the database is full.';
  try {
    await fill();
    const mutation = 'mutation { createTrait(input: { name: "CUSTOM_X" }) { trait { name } } }';
    expect(await ask(mutation)).toMatchObject({ errors: [{ message, extensions: { code: 'UNAVAILABLE', retry: 'LATER' } }] });
    const put = await call('/placement/traits/CUSTOM_Y', { method: 'PUT' });
    expect([put.status, put.headers.has('retry-after'), await put.text()]).toEqual([503, true, expect.stringContaining(message)]);
    expect(await (await call('/readyz')).json()).toEqual({ status: 'ready', warnings: { disk: 'the disk of the database is full' } });
    expect(await (await call('/metrics')).text()).toMatch(/^placement_disk_full 1$/m);
    expect(await ask('{ resourceProviders { totalCount } }')).toEqual({ data: { resourceProviders: { totalCount: 0 } } });
  } finally {
    await close();
  }
});

test('writes are refused while a volume that the gateway watches has less than the reserve', async () => {
  const disk = diskOf(database.db);
  const lines: string[] = [];
  disk.report = (line) => void lines.push(line);
  let space = limits.diskReserve - 1;
  const look = async (directory: string) =>
    directory === '/gone' ? null : { directory, free: directory === '/wal' ? space : 2 ** 40, size: 2 ** 41 };
  const watch = async () => (await disk.watch(['/data', '/wal'], look))();
  await watch();
  expect(() => disk.expectSpace()).toThrow('Nothing was written: less than 256 MiB are free on the disk of the database (/wal).');
  space += 1;
  await watch();
  disk.expectSpace();
  expect(lines).toEqual([
    'less than 256 MiB are free on the disk of the database (/wal): writes are refused',
    'the disk of the database has space again: writes are done',
  ]);
  (await disk.watch(['/gone'], look))();
  expect(lines.at(-1)).toBe('the free space of /gone is unknown: it cannot be found');
});

test('the volume of a directory is measured', async () => {
  const disk = diskOf(database.db);
  (await disk.watch(['/']))();
  expect(disk.spaces).toEqual([{ directory: '/', free: expect.any(Number), size: expect.any(Number) }]);
  expect(disk.spaces[0]?.size).toBeGreaterThan(disk.spaces[0]?.free ?? 0);
});
