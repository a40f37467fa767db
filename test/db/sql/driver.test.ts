// What we use of the driver that it does not document is as it was read.
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { built, copyOf, driverOver, handlerOf, readInVersion, redirected, unconnected } from '../../../src/db/sql/driver.ts';

test('the driver has the version whose private parts were read; for another one, src/db/sql/driver.ts says what to read again', () => {
  expect(manifest.dependencies.postgres).toBe(readInVersion);
});

test('a redirected statement is handed over when it is awaited, and settled from outside', async () => {
  const driver = unconnected('postgres://server/database', {});
  const taken: unknown[] = [];
  const sql = redirected(
    driver,
    (query) => {
      taken.push(query);
      query.resolve([{ one: 1 }]);
    },
    async () => {},
  );
  const query = sql`select 1`;
  expect(taken).toEqual([]);
  expect(await query).toEqual([{ one: 1 }]);
  expect(taken).toEqual([query]);
  expect(await sql.unsafe('select 1')).toEqual([{ one: 1 }]);
  expect(() => built(sql('name'))).toThrow('another way');
});

test('a copy of a rejected statement can be awaited again', async () => {
  const query = built(unconnected(null, {}).unsafe('select 1', [], { prepare: true }).values());
  query.reject(new Error('lost'));
  await expect(query).rejects.toThrow('lost');
  const copy = copyOf(query);
  expect(copy).toMatchObject({ strings: ['select 1'], isRaw: 'values', options: { prepare: true } });
  copy.handler = () => copy.resolve('found');
  expect(await copy).toBe('found');
});

test('a driver takes the parsed options of another as they are, and requests a socket when it gets a statement', async () => {
  const parsed = unconnected('postgres://me@server/database', { max: 1 }).options;
  const asked: string[] = [];
  const driver = driverOver(parsed, () => {
    asked.push('socket');
    throw new Error('no socket');
  });
  expect(driver.options).toMatchObject({ user: 'me', database: 'database', max: 1 });
  const query = built(driver.unsafe('select 1'));
  const outcome = new Promise((resolve) => {
    query.reject = resolve;
  });
  handlerOf(driver)(query);
  expect(await outcome).toMatchObject({ message: 'no socket' });
  expect(asked).toEqual(['socket']);
});
