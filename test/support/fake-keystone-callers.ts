// A fake Keystone and authentications that use it, new for each test of a file that calls `useFakeKeystone`.
import { afterEach, beforeEach, expect } from 'vitest';
import { openAuthentication } from '../../src/auth/authenticate.ts';
import type { Authentication } from '../../src/auth/callers/method.ts';
import type { Identity } from '../../src/domain/identity.ts';
import { readTarget } from '../../src/http/target.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { type FakeKeystone, settingsFor, startFakeKeystone } from './fake-keystone.ts';

/** The Keystone of the test; `good` is a token of it. */
export const fake = {} as { keystone: FakeKeystone };
/** The lines of the log in this test. */
export const told: string[] = [];
const opened: Authentication[] = [];

/** Starts a Keystone before each test and stops it afterwards. Call it once, outside of tests. */
export function useFakeKeystone(): void {
  beforeEach(async () => {
    fake.keystone = await startFakeKeystone();
    fake.keystone.tokens.set('good', {});
    told.length = 0;
  });
  afterEach(async () => {
    for (const authentication of opened.splice(0)) authentication.close();
    await fake.keystone.close();
  });
}

/** A gateway's authentication with these settings; closed after the test. */
export async function openWith(environment: Record<string, string>): Promise<Authentication> {
  const note = (line: string) => told.push(line);
  const authentication = await openAuthentication(readSettings(environment).settings, { info: note, warn: note, error: note });
  opened.push(authentication);
  return authentication;
}

/** The same with settings for a Keystone, after its first log-in. */
export async function open(more: Record<string, string> = {}, keystone = fake.keystone): Promise<Authentication> {
  const authentication = await openWith(settingsFor(keystone, more));
  await expect.poll(() => keystone.logIns.length + told.length).toBeGreaterThan(0);
  return authentication;
}

/** Who calls with a token. */
export async function ask(
  { authenticate }: Authentication,
  token: string,
  more: Record<string, string> = {},
  call = 'GET /placement/traits',
  ip = '127.0.0.1',
): Promise<Identity | null> {
  const [method = '', url = ''] = call.split(' ');
  return authenticate({ headers: { 'x-auth-token': token, ...more }, method, target: readTarget(url), ip });
}
