// The settings of what stands before the gateway. Their rows and checks for settings/settings.ts.
import { isIP } from 'node:net';
import { z } from 'zod';

export interface ProxySettings {
  /** Addresses and networks whose word about their clients counts. */
  readonly trustedProxies: readonly string[];
  /** Whether each connection begins with the PROXY protocol. */
  readonly proxyProtocol: boolean;
}

type Row = readonly [key: keyof ProxySettings, variable: string, argument: string, fallback: string, meaning: string];

export const proxyRows: readonly Row[] = [
  [
    'trustedProxies',
    'PLACEMENT_TRUSTED_PROXIES',
    'list',
    'none',
    'addresses and networks such as 10.0.0.0/8, with commas between, whose Forwarded or X-Forwarded-* say who the client is; those of others are ignored',
  ],
  [
    'proxyProtocol',
    'PLACEMENT_PROXY_PROTOCOL',
    'on|off',
    'off',
    'whether each connection begins with the PROXY protocol (version 1 or 2); those of other peers than PLACEMENT_TRUSTED_PROXIES are closed, but for those of this machine, which speak plain HTTP',
  ],
];

export const proxyShape = {
  trustedProxies: z
    .string()
    .transform((list) => list.split(',').map((network) => network.trim()))
    .refine(
      (networks) => networks.every(isNetwork),
      'must be addresses such as 192.0.2.1 or networks such as 10.0.0.0/8 or fd00::/8, with commas between; a network of everybody is none of proxies',
    )
    .default([]),
  proxyProtocol: z.stringbool({ error: 'must be on or off' }).default(false),
};

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (most === 0 || rest.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

/** What is wrong with them together. */
export function proxyFaults({ trustedProxies, proxyProtocol }: ProxySettings): string[] {
  if (!proxyProtocol || trustedProxies.length > 0) return [];
  return ['PLACEMENT_PROXY_PROTOCOL=on needs PLACEMENT_TRUSTED_PROXIES, the addresses of the proxies: connections of others are closed'];
}
