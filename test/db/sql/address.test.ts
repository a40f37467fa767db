// The address of a database as operators write it: encryption, certificates, passwords in files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { addressOf, urlFault } from '../../../src/db/sql/address.ts';
import { connect, connectionOptions, type DatabaseTarget, openDatabase } from '../../../src/db/sql/client.ts';
import * as certificates from '../../support/certificates.ts';
import { socketOf, useDatabase } from '../../support/database.ts';
import { layTlsWire, type TlsWire } from '../../support/tls-wire.ts';

const database = useDatabase();
const directory = mkdtempSync(join(tmpdir(), 'placement-tls-'));
const fileOf = (name: string, text: string) => {
  writeFileSync(join(directory, name), text, { mode: 0o600 });
  return join(directory, name);
};
const authority = fileOf('authority.crt', certificates.authority);
const otherAuthority = fileOf('other.crt', certificates.otherAuthority);
const certificate = `sslcert=${fileOf('client.crt', certificates.clientCertificate)}&sslkey=${fileOf('client.key', certificates.clientKey)}`;
afterAll(() => rmSync(directory, { recursive: true }));

let wire: TlsWire;
const openWire = async (options?: { wantsCertificate: boolean }) => {
  wire = await layTlsWire(socketOf(database.target), options);
};
afterEach(() => wire?.close());

const urlOf = (parameters: string, host = '127.0.0.1') =>
  `postgres://placement@${host}:${wire.port}/${socketOf(database.target).database}?${parameters}`;

/** What a statement through the pools is answered with. */
async function ask(target: DatabaseTarget): Promise<unknown> {
  const db = openDatabase(target);
  try {
    const [row] = await db.sql<{ name: string }[]>`select current_setting('application_name') as name`;
    return row?.name;
  } finally {
    await db.close();
  }
}

describe('a connection', () => {
  test.each([
    ['is not encrypted', '', false],
    ['is not encrypted', 'sslmode=disable', false],
    ['is encrypted', 'sslmode=prefer', true],
    ['is encrypted', 'sslmode=require', true],
    ['is encrypted and its server known', `sslmode=require&sslrootcert=${authority}`, true],
    ['is encrypted and its server known', `sslmode=verify-ca&sslrootcert=${authority}`, true],
    ['is encrypted, its server and its name known', `sslmode=verify-full&sslrootcert=${authority}`, true],
  ])('%s with %s', async (_what, parameters, encrypted) => {
    await openWire();
    expect(await ask({ url: urlOf(parameters) })).toBe('placement-gateway');
    expect(wire.last.encrypted).toBe(encrypted);
  });

  test.each([
    ['of another authority', `sslmode=verify-full&sslrootcert=${otherAuthority}`, '127.0.0.1', /certificate/],
    ['of another authority', `sslmode=verify-ca&sslrootcert=${otherAuthority}`, '127.0.0.1', /certificate/],
    ['of an authority that the system does not know', 'sslmode=verify-full', '127.0.0.1', /certificate/],
    ['of another host', `sslmode=verify-full&sslrootcert=${authority}`, 'localhost', /does not match certificate/],
  ])('is refused to a server with a certificate %s: %s', async (_what, parameters, host, message) => {
    await openWire();
    await expect(ask({ url: urlOf(parameters, host) })).rejects.toThrow(message);
  });

  test('to another host of the same authority is accepted with verify-ca', async () => {
    await openWire();
    expect(await ask({ url: urlOf(`sslmode=verify-ca&sslrootcert=${authority}`, 'localhost') })).toBe('placement-gateway');
  });

  test('shows the certificate of the client', async () => {
    await openWire({ wantsCertificate: true });
    await expect(ask({ url: urlOf(`sslmode=verify-full&sslrootcert=${authority}`) })).rejects.toThrow();
    expect(await ask({ url: urlOf(`sslmode=verify-full&sslrootcert=${authority}&${certificate}`) })).toBe('placement-gateway');
    expect(wire.last.client).toBe('placement');
  });

  test('that migrates is encrypted, too', async () => {
    await openWire();
    const target = { url: urlOf(`sslmode=verify-full&sslrootcert=${authority}`) };
    const sql = connect(target, { ...connectionOptions(target, {}), max: 1 });
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
    expect(wire.last.encrypted).toBe(true);
    await sql.end();
  });

  test('has the application name of the URL', async () => {
    await openWire();
    expect(await ask({ url: urlOf('application_name=placement-az1') })).toBe('placement-az1');
  });
});

test('the password is read from its file for each connection, so that it can be changed', async () => {
  const passwordFile = fileOf('password', 'first\n');
  const { password } = connectionOptions({ url: 'postgres://placement@localhost/x', passwordFile }, {});
  const read = () => (typeof password === 'function' ? password() : password);
  expect(read()).toBe('first');
  fileOf('password', 'second');
  expect(read()).toBe('second');
});

describe('a URL', () => {
  test.each([
    ['mysql://localhost/x', 'must start with postgres:// or postgresql://'],
    ['postgres://localhost/x?sslmode=full', 'has an unknown sslmode; there are disable, allow, prefer, require, verify-ca, verify-full'],
    ['postgres://localhost/x?jit=on', expect.stringContaining('has the parameter jit that is not known')],
    ['postgres://u:not?encoded@localhost/x', expect.stringContaining('has a parameter that is not known')],
    ['postgres://localhost/x?sslcert=a', 'must have sslcert and sslkey, or neither'],
    ['postgres://localhost/x?sslmode=verify-full', null],
  ])('%s: %s', (url, fault) => {
    expect(urlFault(url)).toEqual(fault);
  });

  test.each([
    ['postgres://u:p@db.example/x', true],
    ['postgres://u:p@db.example/x?sslmode=prefer', true],
    ['postgres://u:p@localhost,db.example:5433/x', true],
    ['postgres://u:p@db.example/x?sslmode=require', false],
    ['postgres://u:p@localhost:5432/x', false],
    ['postgres://u:p@[::1]/x', false],
    ['postgres://u:p@127.0.0.1/x', false],
  ])('%s leaves what is sent open to others: %s', (url, isExposed) => {
    expect(addressOf(url)).toMatchObject({ isExposed });
  });
});
