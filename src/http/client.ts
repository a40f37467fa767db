// The client of a request: the address, scheme, host and prefix that it used. They are those of the connection, or what a trusted proxy says; claims of anyone
// else are ignored. Only this file decides that: afterwards `request.ip`, `request.protocol` and the header Host are the client's, for bounds, logs and links
// alike.
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { addressOfConnection, isBehindTls, plainAddress } from './proxy-protocol.ts';
import { httpRefusal } from './refusal.ts';

/** Addresses and networks, as in `10.0.0.0/8`. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;

  constructor(networks: readonly string[]) {
    this.#isEmpty = networks.length === 0;
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = familyOf(address);
      this.#list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
    }
  }

  has(address: string): boolean {
    return !this.#isEmpty && isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

interface Client {
  readonly address: string;
  readonly scheme: string;
  /** Undefined if the request has none. */
  readonly host: string | undefined;
  /** What the proxy has removed from the beginning of the path, without a trailing slash. */
  readonly prefix: string;
}

type Headers = FastifyRequest['headers'];

const prefixes = new WeakMap<Headers, string>();
const ownHosts = new WeakMap<Headers, string | undefined>();

/** What a trusted proxy has removed from the beginning of the path, such as `/cloud`; empty without one. */
export function prefixOf({ headers }: FastifyRequest): string {
  return prefixes.get(headers) ?? '';
}

/** The hosts that a request names: the client's, and that of the connection if a proxy names another. */
export function hostsOf({ headers }: Pick<FastifyRequest, 'headers'>): readonly string[] {
  return [headers.host, ownHosts.get(headers)].filter((host) => host !== undefined);
}

/** Attributes a request to its client. Returns a refusal if proxies contradict each other, or one passes on what the client made up. */
export function recognizeClients(proxies: TrustedProxies): (request: FastifyRequest) => Error | null {
  return (request) => {
    const { headers, raw } = request;
    const peer = addressOfConnection(raw.socket);
    const scheme = isBehindTls(raw.socket) ? 'https' : 'http';
    const connection: Client = { address: peer, scheme, host: headers.host, prefix: '' };
    const client = proxies.has(peer) ? clientBehind(connection, headers, proxies) : connection;
    const { address, host, prefix } = client ?? connection;
    // The framework's getters return those of the connection.
    Object.defineProperty(request, 'ip', { value: address });
    Object.defineProperty(request, 'protocol', { value: (client ?? connection).scheme });
    if (host !== undefined && host !== headers.host) {
      ownHosts.set(headers, headers.host);
      headers.host = host;
    }
    if (prefix !== '') prefixes.set(headers, prefix);
    if (client) return null;
    return httpRefusal(
      400,
      'BAD_REQUEST',
      'Forwarded and X-Forwarded-* contradict each other: let the proxy send one of them, and remove the other.',
    );
  };
}

/** Null if the two kinds of headers differ: proxies often set one, and pass on the other as the client sent it. */
function clientBehind(connection: Client, headers: Headers, proxies: TrustedProxies): Client | null {
  const prefix = prefixIn(lastOf(headers['x-forwarded-prefix'])) ?? '';
  const said = [byForwarded(connection, headers, proxies), byCustom(connection, headers, proxies)].filter((client) => client !== null);
  const [first = connection, second = first] = said;
  if (first.address !== second.address || first.scheme !== second.scheme || first.host !== second.host) return null;
  return { ...first, prefix };
}

/** The client by RFC 7239; null without the header. */
function byForwarded(connection: Client, { forwarded }: Headers, proxies: TrustedProxies): Client | null {
  if (forwarded === undefined) return null;
  let { address, scheme, host } = connection;
  for (const hop of elementsOf(forwarded).toReversed()) {
    if (!proxies.has(address)) break;
    scheme = schemeIn(hop.get('proto')) ?? scheme;
    host = hostIn(hop.get('host')) ?? host;
    const next = addressIn(hop.get('for') ?? '');
    if (next === null) break;
    address = next;
  }
  return { ...connection, address, scheme, host };
}

/** The client by the headers that predate the RFC; null without them. */
function byCustom(connection: Client, headers: Headers, proxies: TrustedProxies): Client | null {
  const { 'x-forwarded-for': addresses, 'x-forwarded-proto': scheme, 'x-forwarded-host': host } = headers;
  if (addresses === undefined && scheme === undefined && host === undefined) return null;
  let { address } = connection;
  for (const hop of String(addresses ?? '')
    .split(',')
    .toReversed()) {
    const next = proxies.has(address) ? addressIn(hop.trim()) : null;
    if (next === null) break;
    address = next;
  }
  return {
    ...connection,
    address,
    scheme: schemeIn(lastOf(scheme)) ?? connection.scheme,
    host: hostIn(lastOf(host)) ?? connection.host,
  };
}

const pair = /[ \t]*(?:([!#$%&'*+.^`|~\w-]+)=("(?:[^"\\]|\\.)*"|[^\s";,]+)[ \t]*)?([;,]|$)/y;

/** The elements of Forwarded, each with its parameters; empty for a malformed header. */
function elementsOf(header: string): ReadonlyMap<string, string>[] {
  const elements: Map<string, string>[] = [];
  let element = new Map<string, string>();
  pair.lastIndex = 0;
  for (;;) {
    const match = pair.exec(header);
    if (match === null) return [];
    const [, name, value = '', end] = match;
    const key = name?.toLowerCase();
    if (key !== undefined && element.has(key)) return [];
    if (key !== undefined) element.set(key, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value);
    if (end === ';') continue;
    if (element.size > 0) elements.push(element);
    if (end === '') return elements;
    element = new Map();
  }
}

/** The address, as Node writes it, in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; null for anything else. */
function addressIn(text: string): string | null {
  const address = isIP(text) ? text : (/^\[([^\]]*)\](?::\w+)?$/.exec(text)?.[1] ?? /^([\d.]+):\w+$/.exec(text)?.[1] ?? '');
  return isIP(address) === 0 ? null : plainAddress(address);
}

function schemeIn(text: string | undefined): string | null {
  return /^https?$/i.test(text ?? '') ? (text ?? '').toLowerCase() : null;
}

function hostIn(text: string | undefined): string | null {
  return text !== undefined && /^([\w.-]{1,255}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i.test(text) ? text : null;
}

function prefixIn(text: string | undefined): string | null {
  return text !== undefined && /^(\/[\w.~-]+){1,20}\/?$/.test(text) ? text.replace(/\/$/, '') : null;
}

/** The value of the nearest proxy. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(',').at(-1)?.trim();
}
