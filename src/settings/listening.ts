// The settings of the port: where the gateway listens, what stands in front of it, and whose connections and scripts it accepts.
import { isIP } from 'node:net';
import { limits } from '../domain/limits.ts';
import { setting, type ValuesOf } from './setting.ts';
import { anyText, list, numberOr, onOrOff, wholeNumber } from './values.ts';

export const listeningSettings = {
  host: setting({
    variable: 'PLACEMENT_HOST',
    argument: 'address',
    form: anyText.regex(/^[\w.:-]+$/, 'must be an address or a host name'),
    fallback: '127.0.0.1',
    meaning: 'the address to listen on',
  }),
  port: setting({
    variable: 'PLACEMENT_PORT',
    argument: 'number',
    form: wholeNumber(0, 65_535),
    fallback: '8778',
    meaning: 'the port to listen on; 0 takes a free one',
  }),
  trustedProxies: setting({
    variable: 'PLACEMENT_TRUSTED_PROXIES',
    argument: 'list',
    form: list.refine(
      (networks) => networks.every(isNetwork),
      'must be addresses such as 192.0.2.1 or networks such as 10.0.0.0/8 or fd00::/8, separated by commas; a network of all addresses is not allowed',
    ),
    absent: [],
    fallback: 'none',
    meaning:
      'proxies that are trusted to name the client in Forwarded or X-Forwarded-*: addresses and networks such as 10.0.0.0/8, separated by commas; these headers of other peers are ignored',
  }),
  proxyProtocol: setting({
    variable: 'PLACEMENT_PROXY_PROTOCOL',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'off',
    meaning:
      'whether each connection begins with the PROXY protocol (version 1 or 2). Connections of peers that are not in PLACEMENT_TRUSTED_PROXIES are closed, except those of this machine, which speak plain HTTP',
  }),
  /** For each process. Null for no bound. */
  addressConnections: setting({
    variable: 'PLACEMENT_ADDRESS_CONNECTIONS',
    argument: 'number|none',
    form: numberOr('none', limits.connections),
    fallback: String(limits.connectionsOfAddress),
    meaning:
      'open connections of one address to each worker, or behind a trusted proxy its requests in progress. Addresses of this machine and trusted proxies have no such bound; raise it for a proxy that is not trusted',
  }),
  corsAllowedOrigins: setting({
    variable: 'PLACEMENT_CORS_ALLOWED_ORIGIN',
    argument: 'list',
    form: list.refine((origins) => origins.every(isOrigin), 'must be origins such as https://cloud.example, separated by commas'),
    absent: [],
    fallback: 'none',
    meaning: 'origins whose scripts may call both APIs, separated by commas',
  }),
};

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (most === 0 || rest.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

/** The form of the header `origin`: a scheme, a host, an optional port, and nothing else. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** What is wrong with these settings together. */
export function listeningFaults({ trustedProxies, proxyProtocol }: ValuesOf<typeof listeningSettings>): string[] {
  if (!proxyProtocol || trustedProxies.length > 0) return [];
  return ['PLACEMENT_PROXY_PROTOCOL=on needs PLACEMENT_TRUSTED_PROXIES, the addresses of the proxies: other connections are closed'];
}
