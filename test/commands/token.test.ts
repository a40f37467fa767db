import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeTokenFile, readTokenFile } from '../../src/auth/token-file.ts';
import { addToken, listTokens, revokeToken, tokenOptions } from '../../src/commands/token.ts';
import { anyCharacter } from '../support/any-character.ts';
import { sampled } from '../support/profile.ts';
import { tokenFor, useTokensFile } from '../support/tokens-file.ts';

const path = useTokensFile();
const nova = { user: 'nova', project: null, roles: ['admin'], expiresAt: null };

test('a token is 256 random bits; the file contains only its SHA-256 and is readable only by its owner', async () => {
  const { token, added } = await addToken(path, nova);
  expect(token).toMatch(/^pgw_[\w-]{43}$/);
  const { tokens } = JSON.parse(readFileSync(path, 'utf8'));
  expect(tokens).toEqual([{ ...nova, id: added.id, createdAt: added.createdAt, hash: createHash('sha256').update(token).digest('hex') }]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await addToken(path, nova)).token).not.toBe(token);
});

test('the list shows neither tokens nor hashes', async () => {
  const { token, added } = await addToken(path, { ...nova, project: 'service', roles: ['admin', 'service'] });
  const lines = await listTokens(path);
  expect(lines[0]).toMatch(/^id +user +project +roles +created +expires$/);
  expect(lines.at(-1)).toMatch(new RegExp(`^${added.id}  nova  service  admin,service  \\S+  never$`));
  expect(lines.join('\n')).not.toContain(token);
  expect(lines.join('\n')).not.toContain(added.hash);
});

test('a revoked token is removed, and the others stay', async () => {
  const { added } = await addToken(path, nova);
  const before = await listTokens(path);
  await revokeToken(path, added.id);
  expect(await listTokens(path)).toEqual(before.slice(0, -1));
});

test('a token given instead of its id is not printed', async () => {
  const token = await tokenFor(path, 'nova', ['admin']);
  await expect(revokeToken(path, token)).rejects.toThrow(/^unknown token id: placement-gateway token list shows the ids$/);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test('many concurrent changes are all kept, and the permissions of the file stay', async () => {
  chmodSync(path, 0o640);
  const before = (await listTokens(path)).length;
  await Promise.all(Array.from({ length: 20 }, () => addToken(path, nova)));
  expect(await listTokens(path)).toHaveLength(before + 20);
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test('a damaged or missing file is left unchanged', async () => {
  const broken = `${path}.broken`;
  writeFileSync(broken, '{', { mode: 0o600 });
  await expect(addToken(broken, nova)).rejects.toThrow('is not valid JSON');
  expect(readFileSync(broken, 'utf8')).toBe('{');
  await expect(revokeToken(`${path}.none`, 'a')).rejects.toThrow('does not exist');
});

test('a file in a missing directory is refused with advice', async () => {
  await expect(addToken(`${path}.none/tokens.json`, nova)).rejects.toThrow(/cannot be changed: its directory does not exist: create it$/);
});

test('the lock of a killed command is removed, also for several waiting commands', async () => {
  const before = (await listTokens(path)).length;
  writeFileSync(`${path}.lock`, '{"version":');
  await Promise.all([addToken(path, nova), addToken(path, nova), addToken(path, nova)]);
  expect(await listTokens(path)).toHaveLength(before + 3);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test('a command that stalled while another removed its lock changes nothing', async () => {
  const before = readFileSync(path, 'utf8');
  const late = changeTokenFile(path, (tokens) => {
    rmSync(`${path}.lock`);
    writeFileSync(`${path}.lock`, 'of another');
    return tokens.slice(1);
  });
  await expect(late).rejects.toThrow('was changed by another command meanwhile: try again');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(readFileSync(`${path}.lock`, 'utf8')).toBe('of another');
  rmSync(`${path}.lock`);
});

test('a token expires after days, at a moment, or never', () => {
  expect(tokenOptions.expiry('never')).toEqual({ at: null });
  expect(tokenOptions.expiry('2127-01-31')).toEqual({ at: '2127-01-31T00:00:00.000Z' });
  expect(tokenOptions.expiry('2127-01-31T12:00:00+02:00')).toEqual({ at: '2127-01-31T10:00:00.000Z' });
  const days = (Date.parse(tokenOptions.expiry('90d').at ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(90, 3);
});

test.each([
  '',
  '0d',
  '90',
  'tomorrow',
  '2127-02-30',
  '2127-13-01',
  '2020-01-01',
  '2127-01-31T25:00:00Z',
  '2127-01-31 12:00',
  '9999-12-31T23:59:59-12:00',
])('it does not expire at %j', (when) => expect(() => tokenOptions.expiry(when)).toThrow(/^It (must|is)/));

test('everything that the options accept can be read again unchanged', async () => {
  const accepted = (read: (text: string) => unknown) => (text: string) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
  const expiry = fc.oneof(
    fc.constant('never'),
    fc.integer({ min: 1, max: 99_999 }).map((days) => `${days}d`),
    fc.date({ min: new Date('2100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((date) => date.toISOString()),
    fc
      .date({ min: new Date('9999-12-30'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().replace('Z', '-23:59')),
  );
  const name = fc.string({ unit: anyCharacter, maxLength: 300 }).filter(accepted(tokenOptions.name));
  const role = fc.stringMatching(/^[a-z0-9_.-]{1,20}$/).filter(accepted(tokenOptions.role));
  const given = fc.tuple(name, fc.option(name), fc.array(role, { maxLength: 3 }), expiry.filter(accepted(tokenOptions.expiry)));
  await fc.assert(
    fc.asyncProperty(given, async ([user, project, roles, when]) => {
      const { added } = await addToken(path, { user, project, roles, expiresAt: tokenOptions.expiry(when).at });
      expect((await readTokenFile(path)).tokens.at(-1)).toEqual(added);
    }),
    { numRuns: sampled(30) },
  );
});

test('a token that could not be read again is not written', async () => {
  const before = readFileSync(path, 'utf8');
  await expect(addToken(path, { ...nova, expiresAt: '' })).rejects.toThrow('expiresAt must be a moment');
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

test.each(['', 'a\u0000b', 'a\nb', 'a'.repeat(256), '\ud800'])('a user cannot be named %j', (name) => {
  expect(() => tokenOptions.name(name)).toThrow(/^It must/);
});
