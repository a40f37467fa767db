// Signs a person in at Keystone with a password, so that a page needs neither another host in its policy nor Keystone's consent to it. Keeps nothing: it
// returns the token to its user.
import { z } from 'zod';
import type { KeystoneSettings } from '../../settings/keystone.ts';
import { openConnection } from './connection.ts';
import { KeystoneFault } from './fault.ts';
import { parseJson, versionedUrl } from './own-token.ts';

export interface Credentials {
  readonly user: string;
  /** The name of the user's domain. */
  readonly domain: string;
  readonly password: string;
  /** The passcode of the second factor, for users who have one. */
  readonly passcode: string | null;
  /** Null for Keystone's default for this user. */
  readonly project: string | null;
  readonly projectDomain: string;
}

/** The token of a person who has signed in. */
export interface SignedIn {
  readonly token: string;
  readonly expiresAt: string;
  readonly user: string;
  readonly project: string | null;
  readonly roles: readonly string[];
}

export interface SignInDesk {
  /** Null if Keystone refuses the credentials. Rejects with KeystoneFault. */
  signIn(credentials: Credentials): Promise<SignedIn | null>;
  close(): void;
}

/** Concurrent sign-ins: a password costs Keystone more than a token. */
const atOnce = 8;

/** Rejects if a file of the settings cannot be read. */
export async function openSignIn(settings: KeystoneSettings): Promise<SignInDesk> {
  const connection = await openConnection(settings, atOnce);
  return {
    async signIn(credentials) {
      const answer = await connection.send(
        {
          method: 'POST',
          url: `${versionedUrl(settings.keystoneAuthUrl ?? '')}/auth/tokens?nocatalog`,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify({ auth: questionOf(credentials) }),
        },
        AbortSignal.timeout(settings.keystoneTimeout * 1000),
      );
      // Some releases answer 403 for a project in which the user has no role.
      if (answer.status === 401 || answer.status === 403) return null;
      if (answer.status !== 201) throw new KeystoneFault(`it answered a sign-in with ${answer.status}`);
      const token = answer.headers['x-subject-token'];
      const { data } = answerShape.safeParse(parseJson(answer.text));
      if (typeof token !== 'string' || !data) throw new KeystoneFault('its answer to a sign-in has no token');
      const { expires_at: expiresAt, user, project, roles } = data.token;
      return { token, expiresAt, user: user.name, project: project?.name ?? null, roles: roles.map(({ name }) => name) };
    },
    close: () => connection.close(),
  };
}

const named = z.object({ name: z.string() });
const answerShape = z.object({
  token: z.object({ expires_at: z.string(), user: named, project: named.nullish(), roles: z.array(named).default([]) }),
});

function questionOf({ user, domain, password, passcode, project, projectDomain }: Credentials): object {
  const account = { name: user, domain: { name: domain } };
  return {
    identity: {
      methods: passcode === null ? ['password'] : ['password', 'totp'],
      password: { user: { ...account, password } },
      ...(passcode !== null && { totp: { user: { ...account, passcode } } }),
    },
    ...(project !== null && { scope: { project: { name: project, domain: { name: projectDomain } } } }),
  };
}
