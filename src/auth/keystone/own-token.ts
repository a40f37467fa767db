// The gateway's own token, with which it asks Keystone about the tokens of callers: fetched when first needed, and renewed before it expires.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { KeystoneSettings } from '../../settings/keystone.ts';
import { type Answer, type KeystoneConnection, openConnection } from './connection.ts';
import { beforeDeadline, KeystoneFault } from './fault.ts';

export interface OwnToken {
  readonly value: string;
  /** Where tokens are validated, without a slash at the end. */
  readonly identityUrl: string;
  /** Milliseconds since 1970. */
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** A token is renewed at most this many milliseconds before it expires. */
const longestRest = 120_000;
/** Milliseconds to wait after a refused log-in: Keystone may lock an account after some failures. */
const pauseAfterRefusal = 5000;

/** What a token is for: the project of the settings, or the whole cloud, which needs a password and a role on the system. */
type OwnScope = 'project' | 'system';

export class OwnTokenKeeper {
  readonly #settings: KeystoneSettings;
  readonly #connection: KeystoneConnection;
  readonly #scope: OwnScope;
  #token: OwnToken | null = null;
  #loggingIn: Promise<OwnToken> | null = null;
  #refusedUntil = 0;

  constructor(settings: KeystoneSettings, connection: KeystoneConnection, scope: OwnScope = 'project') {
    this.#settings = settings;
    this.#connection = connection;
    this.#scope = scope;
  }

  /** A token that is not known to be bad. Rejects with a KeystoneFault. */
  async get(deadline: AbortSignal): Promise<OwnToken> {
    const token = this.#token;
    const now = Date.now();
    if (token === null || now >= token.expiresAt) return beforeDeadline(deadline, this.#logIn());
    // No caller waits for the renewal; if it fails, the next one may succeed in time.
    if (now >= token.renewAt) this.#logIn().catch(() => {});
    return token;
  }

  /** Drops a token that Keystone has refused. */
  discard(refused: OwnToken): void {
    if (this.#token === refused) this.#token = null;
  }

  #logIn(): Promise<OwnToken> {
    this.#loggingIn ??= this.#fetch().finally(() => {
      this.#loggingIn = null;
    });
    return this.#loggingIn;
  }

  async #fetch(): Promise<OwnToken> {
    if (performance.now() < this.#refusedUntil) throw refusedLogIn(401, this.#scope);
    const { keystoneAuthUrl, keystoneTimeout } = this.#settings;
    const answer = await this.#connection.send(
      {
        method: 'POST',
        url: `${versionedUrl(keystoneAuthUrl ?? '')}/auth/tokens`,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ auth: await this.#credentials() }),
      },
      AbortSignal.timeout(keystoneTimeout * 1000),
    );
    if (answer.status === 401) this.#refusedUntil = performance.now() + pauseAfterRefusal;
    if (answer.status !== 201) throw refusedLogIn(answer.status, this.#scope);
    this.#token = readLogIn(answer, this.#settings);
    return this.#token;
  }

  async #credentials(): Promise<object> {
    const settings = this.#settings;
    if (settings.keystoneApplicationCredentialId !== null) {
      const secret = await secretOf(settings.keystoneApplicationCredentialSecret, settings.keystoneApplicationCredentialSecretFile);
      const id = settings.keystoneApplicationCredentialId;
      return { identity: { methods: ['application_credential'], application_credential: { id, secret } } };
    }
    const password = await secretOf(settings.keystonePassword, settings.keystonePasswordFile);
    const domain = domainOf(settings.keystoneUserDomainId, settings.keystoneUserDomainName);
    const user = { name: settings.keystoneUsername, domain, password };
    const projectDomain = domainOf(settings.keystoneProjectDomainId, settings.keystoneProjectDomainName);
    return {
      identity: { methods: ['password'], password: { user } },
      scope:
        this.#scope === 'system' ? { system: { all: true } } : { project: { name: settings.keystoneProjectName, domain: projectDomain } },
    };
  }
}

/**
 * A source of the gateway's own tokens, for calls to other services: each is replaced before it expires, and after a service has refused it. Rejects if a file
 * of the settings cannot be read.
 */
export async function openOwnTokens(settings: KeystoneSettings): Promise<(refused?: string) => Promise<string>> {
  const keeper = new OwnTokenKeeper(settings, await openConnection(settings, 1));
  const get = () => keeper.get(AbortSignal.timeout(settings.keystoneTimeout * 1000));
  return async (refused) => {
    try {
      const token = await get();
      if (token.value !== refused) return token.value;
      keeper.discard(token);
      return (await get()).value;
    } catch (error) {
      throw error instanceof KeystoneFault ? new Error(`Keystone: ${error.message}`, { cause: error }) : error;
    }
  };
}

function refusedLogIn(status: number, scope: OwnScope): KeystoneFault {
  const isOfProject = scope === 'project';
  if (status === 401) {
    const needed = isOfProject ? 'domain and project' : 'and domain, and that it has the role reader on the system';
    return new KeystoneFault(`it refused the log-in of the service user: check its name, password${isOfProject ? ',' : ''} ${needed}`);
  }
  return new KeystoneFault(`it answered the log-in of the service user with ${status}`);
}

async function secretOf(value: string | null, path: string | null): Promise<string> {
  if (path === null) return value ?? '';
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KeystoneFault(`the file with the secret of the service user cannot be read (${error.code})`);
  });
  return content.trim();
}

function domainOf(id: string | null, name: string): object {
  return id === null ? { name } : { id };
}

const logInSchema = z.object({
  token: z.object({
    expires_at: z.string(),
    catalog: z
      .array(
        z.object({
          type: z.string(),
          endpoints: z.array(
            z.object({ interface: z.string(), region: z.string().nullish(), region_id: z.string().nullish(), url: z.string() }),
          ),
        }),
      )
      .default([]),
  }),
});

function readLogIn({ headers, text }: Answer, { keystoneInterface, keystoneRegionName }: KeystoneSettings): OwnToken {
  const value = headers['x-subject-token'];
  const { data } = logInSchema.safeParse(parseJson(text));
  const expiresAt = Date.parse(data?.token.expires_at ?? '');
  if (!data || typeof value !== 'string' || Number.isNaN(expiresAt)) throw new KeystoneFault('its answer to the log-in has no token');
  const endpoint = data.token.catalog
    .filter(({ type }) => type === 'identity')
    .flatMap(({ endpoints }) => endpoints)
    .find(
      ({ interface: name, region, region_id }) =>
        name === keystoneInterface && (keystoneRegionName === null || (region_id ?? region) === keystoneRegionName),
    );
  if (!endpoint || !URL.canParse(endpoint.url)) {
    const region = keystoneRegionName === null ? '' : ` in the region ${keystoneRegionName}`;
    throw new KeystoneFault(`its catalog has no ${keystoneInterface} endpoint of the service identity${region}`);
  }
  const left = expiresAt - Date.now();
  return { value, identityUrl: versionedUrl(endpoint.url), expiresAt, renewAt: expiresAt - Math.min(longestRest, left / 2) };
}

/** An address of the identity service, with its version and without a slash at the end. */
export function versionedUrl(url: string): string {
  const bare = url.replace(/\/+$/, '').replace(/\/v2\.0$/, '');
  return bare.endsWith('/v3') ? bare : `${bare}/v3`;
}

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
