// The address of a database as a URL: what its parameters mean for the connection. Reads the certificates that it names.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions as EncryptionOptions } from 'node:tls';

export interface UrlAddress {
  /** Without parameters. */
  readonly url: string;
  /** As the driver takes it. */
  readonly ssl: false | 'prefer' | 'require' | EncryptionOptions;
  /** Settings of the session. */
  readonly settings: Readonly<Record<string, string>>;
  readonly targetSessionAttributes: string | null;
  /** Whether there is a pooler in session mode in between, which drops the settings that a connection begins with. */
  readonly isPooled: boolean;
  /** Whether somebody in between could read or change the traffic. */
  readonly isExposed: boolean;
}

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'application_name', 'target_session_attrs', 'pooler'];

/** Why a URL cannot be used; null when it can. Repeats no value, which may be a secret. */
export function urlFault(text: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must start with postgres:// or postgresql://';
  const given = parametersOf(text);
  const unknown = [...given.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    // If a password has a question mark that is not encoded, what follows is its rest.
    const name = /^[a-z_]+$/.test(unknown) && !/@/.test(text.slice(text.indexOf('?'))) ? `the parameter ${unknown}` : 'a parameter';
    return `has ${name} that is not known; ${parameters.join(', ')} are`;
  }
  const mode = given.get('sslmode');
  if (mode !== null && !modes.includes(mode)) return `has an unknown sslmode; there are ${modes.join(', ')}`;
  if (given.has('pooler') && given.get('pooler') !== 'session') return 'has a pooler that cannot be used: only session mode can';
  if (given.has('sslcert') !== given.has('sslkey')) return 'must have sslcert and sslkey, or neither';
  return null;
}

/** Throws when a certificate cannot be read. */
export function addressOf(url: string): UrlAddress {
  const given = parametersOf(url);
  const ssl = encryptionOf(given);
  const applicationName = given.get('application_name');
  return {
    url: url.replace(/\?.*$/s, ''),
    ssl,
    settings: applicationName === null ? {} : { application_name: applicationName },
    targetSessionAttributes: given.get('target_session_attrs'),
    isPooled: given.has('pooler'),
    isExposed: (ssl === false || ssl === 'prefer') && !hostsOf(url).every(isLocal),
  };
}

function parametersOf(url: string): URLSearchParams {
  return new URLSearchParams(/\?(.*)$/s.exec(url)?.[1] ?? '');
}

/** Means the same as in libpq, except that without a mode connections are not encrypted, and that certificates are read only where it says. */
function encryptionOf(given: URLSearchParams): UrlAddress['ssl'] {
  const mode = given.get('sslmode') ?? 'disable';
  const authority = given.get('sslrootcert');
  if (mode === 'disable') return false;
  const own = certificateOf(given);
  const isVerified = mode.startsWith('verify-') || (mode === 'require' && authority !== null);
  if (!isVerified) return own ? { ...own, rejectUnauthorized: false } : mode === 'require' ? 'require' : 'prefer';
  return {
    ...own,
    rejectUnauthorized: true,
    ...(authority !== null && authority !== 'system' && { ca: readFileSync(authority, 'utf8') }),
    // Only verify-full checks that the certificate is that of the host.
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function certificateOf(given: URLSearchParams): EncryptionOptions | null {
  const [certificate, key, passphrase] = ['sslcert', 'sslkey', 'sslpassword'].map((name) => given.get(name));
  if (!certificate || !key) return null;
  return { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8'), ...(passphrase && { passphrase }) };
}

export function severalHosts(url: string): boolean {
  return hostsOf(url).length > 1;
}

function hostsOf(url: string): string[] {
  const authority = /^\w+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(url)?.[1] ?? '';
  return authority.split(',').map((host) => host.replace(/:\d*$/, '').replace(/^\[|\]$/g, ''));
}

function isLocal(host: string): boolean {
  return host === '' || host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')) || host.startsWith('%2F');
}
