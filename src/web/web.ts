// What the gateway serves to browsers besides the APIs: the pages, and a way for them to get a token.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { openSignIn } from '../auth/keystone/sign-in.ts';
import { isLoopback } from '../http/callers.ts';
import { TrustedProxies } from '../http/client.ts';
import type { KeystoneSettings } from '../settings/keystone.ts';
import { pages } from './pages.ts';
import { session } from './session.ts';

export interface WebOptions {
  readonly settings: KeystoneSettings & {
    readonly host: string;
    readonly auth: readonly string[];
    readonly trustedProxies: readonly string[];
  };
  readonly log: { warn(details: object, message: string): void };
  /** Lets routes read bodies. */
  readonly readJson: (routes: FastifyInstance) => void;
  /** Why everything is refused at the moment; null if it is not. */
  readonly whyRefused: () => string | null;
}

export const web: FastifyPluginAsync<WebOptions> = async (app, { settings, log, readJson, whyRefused }) => {
  const { auth, host, trustedProxies, keystoneSignIn, keystoneUserDomainName } = settings;
  const proxies = new TrustedProxies(trustedProxies);
  // With noauth, anyone who reaches a listener on a loopback address may do everything, so the token is no secret.
  const openToken = auth.includes('noauth') && isLoopback(host) ? 'admin' : null;
  await app.register(pages, {});
  const desk = auth.includes('keystone') && keystoneSignIn !== 'off' ? await openSignIn(settings) : null;
  app.addHook('onClose', async () => desk?.close());
  await app.register(session, {
    methods: auth,
    openToken,
    desk,
    defaultDomain: keystoneUserDomainName,
    isOpenToAll: keystoneSignIn === 'anywhere',
    // A request with the address of a trusted proxy is from a client that the proxy does not name, who may be anywhere.
    isLocal: (address) => isLoopback(address) && !proxies.has(address),
    readJson,
    whyRefused,
    onFault: (error, requestId) => log.warn({ requestId, err: error }, 'a sign-in failed on Keystone'),
  });
};
