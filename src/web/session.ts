// How the pages get a token: GET /session lists the ways, POST /session signs in at Keystone. There is no cookie and the gateway keeps nothing: the page keeps the
// token in its tab and sends it with each request, so that no other page can make a browser send it.
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Credentials, SignInDesk } from '../auth/keystone/sign-in.ts';
import { networkOf } from '../domain/network.ts';
import { httpRefusal, refuseWhile } from '../http/refusal.ts';
import { SignInThrottle } from './sign-in-throttle.ts';

export interface SessionOptions {
  readonly methods: readonly string[];
  /** The token that anyone who can reach the listener may use; null if there is none. */
  readonly openToken: string | null;
  /** Null if nobody signs in with a password. */
  readonly desk: SignInDesk | null;
  readonly defaultDomain: string;
  /** Whether passwords are accepted from other machines even if nothing says that they came over TLS. */
  readonly isOpenToAll: boolean;
  /** Whether a client with this address is on this machine. */
  readonly isLocal: (address: string) => boolean;
  /** Lets routes read bodies. */
  readonly readJson: (routes: FastifyInstance) => void;
  /** Why the gateway refuses everything at the moment; null if it does not. */
  readonly whyRefused: () => string | null;
  /** Called for a fault of Keystone, never with a name or a password. */
  readonly onFault: (error: unknown, requestId: string) => void;
}

const maxBody = 16 * 1024;
const text = z.string().min(1).max(1024);
const credentialsShape = z.strictObject({
  user: text,
  domain: text,
  password: text,
  passcode: text.nullable().default(null),
  project: text.nullable().default(null),
  projectDomain: text,
});

export const session: FastifyPluginAsync<SessionOptions> = async (app, options) => {
  const { methods, openToken, desk, defaultDomain, isOpenToAll, isLocal, readJson, whyRefused, onFault } = options;
  const throttle = new SignInThrottle();
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseOtherPages(request);
  });
  app.get('/session', () => ({ methods, token: openToken, defaultDomain: desk && defaultDomain }));
  if (desk === null) return;
  readJson(app);
  const onRequest = [refuseWhile(whyRefused), ...(isOpenToAll ? [] : [refuseReadablePasswords(isLocal)])];
  app.post('/session', { bodyLimit: maxBody, onRequest }, async (request, reply) => {
    const credentials = readCredentials(request.body);
    const attempt = throttle.attempt(`${credentials.domain}/${credentials.user}`.toLowerCase(), networkOf(request.ip));
    if ('waitSeconds' in attempt) {
      reply.header('retry-after', String(attempt.waitSeconds));
      throw httpRefusal(429, 'TOO_MANY_REQUESTS', `Too many failed attempts. Try again in ${attempt.waitSeconds} seconds.`);
    }
    const signedIn = await desk.signIn(credentials).catch((error: unknown) => {
      onFault(error, request.id);
      attempt.withdraw();
      throw httpRefusal(503, 'UNAVAILABLE', 'Keystone is unavailable at the moment. Try again, or paste a token.');
    });
    if (signedIn === null) {
      throw httpRefusal(401, 'UNAUTHENTICATED', 'Keystone refuses this user, password or project.');
    }
    attempt.withdraw();
    return signedIn;
  });
};

function readCredentials(body: unknown): Credentials {
  const { data, error } = credentialsShape.safeParse(body);
  if (data) return data;
  const fields = [...new Set(error.issues.map(({ path }) => path.join('.') || 'the body'))];
  throw httpRefusal(400, 'BAD_REQUEST', `These fields are missing or invalid: ${fields.join(', ')}.`);
}

function refuseReadablePasswords(isLocal: SessionOptions['isLocal']) {
  return async ({ protocol, ip }: FastifyRequest): Promise<void> => {
    if (protocol === 'https' || isLocal(ip)) return;
    throw httpRefusal(
      403,
      'FORBIDDEN',
      'Passwords are not accepted over an unencrypted connection. If a proxy in front of this gateway terminates TLS, name it in PLACEMENT_TRUSTED_PROXIES, or set PLACEMENT_KEYSTONE_SIGN_IN=anywhere; or paste a token.',
    );
  };
}

/** Throws for requests that another page has made a browser send. */
function refuseOtherPages({ method, headers }: FastifyRequest): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = site === undefined ? origin === undefined || isSameHost(origin, host) : site === 'same-origin' || site === 'none';
  // A proxy may change the host name. Then the browser's own header decides, which pages cannot forge.
  if (!isOwn) throw httpRefusal(403, 'FORBIDDEN', 'Only the pages of this gateway may ask for a session.');
  if (method === 'POST' && site !== 'same-origin' && origin === undefined) {
    throw httpRefusal(403, 'FORBIDDEN', 'Sign in on the dashboard; programs get their token from Keystone.');
  }
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
