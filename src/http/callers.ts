// Checks the host name and the origin of requests. A token that can be guessed protects neither from a host name that was made to resolve to this
// machine (DNS rebinding), nor from a page that makes a browser send requests. Knows no route.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { hostsOf } from './client.ts';
import { httpRefusal } from './refusal.ts';

export interface CallerRules {
  /** Allowed host names, in addition to those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Origins whose scripts may call, and therefore write. */
  readonly corsOrigins: readonly string[];
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const port = /:\d{1,5}$/;

/** Throws if Host or Authorization is given twice: each reader could pick a different one. */
export function refuseRepeatedHeaders({ raw: { rawHeaders } }: FastifyRequest): void {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase();
    if (name === 'host') hosts++;
    else if (name === 'authorization') authorizations++;
  }
  if (hosts > 1) throw httpRefusal(400, 'BAD_REQUEST', 'The header Host is given more than once.');
  if (authorizations > 1) throw httpRefusal(400, 'BAD_REQUEST', 'The header Authorization is given more than once.');
}

/** Throws unless an unauthenticated request uses a name of this machine and comes from one of its own pages. */
export function refuseForeignCallers(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { allowedHosts, corsOrigins }: CallerRules,
): void {
  // HTTP/1.0 allows a request without a host; browsers always send one. A page reaches a loopback address as a trusted proxy there does, and can claim another
  // host in its headers, but it cannot change its own.
  if (!hostsOf({ headers }).every((host) => isAllowed(host, allowedHosts))) {
    throw httpRefusal(
      421,
      'MISDIRECTED_REQUEST',
      'Without authentication, Host must be a name of this machine, such as localhost, or one of PLACEMENT_ALLOWED_HOSTS.',
    );
  }
  if (safeMethods.has(method)) return;
  if (isForeignOrigin(headers, corsOrigins)) {
    throw httpRefusal(403, 'FORBIDDEN', 'A page of another origin may write only if PLACEMENT_CORS_ALLOWED_ORIGIN names it.');
  }
}

/** Whether a request comes from a page of another origin. Browsers open WebSockets without a preflight, so those must be checked, too. */
export function isForeignOrigin(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  allowed: readonly string[],
): boolean {
  if (origin === undefined || allowed.includes(origin)) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

function isAllowed(host: string, allowedHosts: readonly string[]): boolean {
  const name = host.replace(port, '').toLowerCase();
  return isLoopback(name === '[::1]' ? '::1' : name) || allowedHosts.includes(name);
}

/** True for names that mean this machine: localhost, 127.0.0.0/8 and ::1. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
