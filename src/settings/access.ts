// The settings of access that are neither of Keystone nor of the rules: how callers are authenticated, what strangers may see, and what is recorded.
import type { AuthenticationMethod } from '../domain/identity.ts';
import { isLoopback } from '../http/callers.ts';
import { setting, type ValuesOf } from './setting.ts';
import { anyText, list, oneOf, optionalText } from './values.ts';

export const accessSettings = {
  /** `noauth` alone, or the others in any combination. */
  auth: setting({
    variable: 'PLACEMENT_AUTH',
    argument: 'list',
    form: list
      .refine(areMethods, 'must be noauth, or keystone, static or both with a comma between')
      .transform((methods): readonly AuthenticationMethod[] => methods),
    fallback: 'noauth',
    meaning:
      'keystone, static (the tokens of PLACEMENT_TOKENS_FILE), both with a comma between, or noauth (the token is user:project, on loopback addresses only)',
  }),
  /** Not null with `static`. */
  tokensFile: setting({
    variable: 'PLACEMENT_TOKENS_FILE',
    argument: 'path',
    ...optionalText,
    meaning: 'the file of static tokens, which the command token changes',
  }),
  /** Lowercase, without a port. */
  allowedHosts: setting({
    variable: 'PLACEMENT_ALLOWED_HOSTS',
    argument: 'list',
    form: list
      .transform((names) => names.map((name) => name.toLowerCase()))
      .refine(
        (names) => names.every((name) => /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(name)),
        'must be names or addresses without a port, separated by commas',
      ),
    absent: [],
    fallback: 'none',
    meaning: 'names in Host that noauth answers besides localhost, separated by commas',
  }),
  trustedDocuments: setting({
    variable: 'PLACEMENT_TRUSTED_DOCUMENTS',
    argument: 'path',
    ...optionalText,
    meaning: 'a list of the only documents that most callers may send',
  }),
  introspection: setting({
    variable: 'PLACEMENT_INTROSPECTION',
    argument: 'on|off|public',
    form: oneOf(['off', 'on', 'public']),
    fallback: 'on',
    meaning:
      'who can read the schema: on: callers with the permission, through the API and at /schema.graphql; public: also anyone, at /schema.graphql, as always with noauth',
  }),
  auditLog: setting({
    variable: 'PLACEMENT_AUDIT_LOG',
    argument: 'path|stderr|off',
    form: anyText,
    fallback: 'off',
    meaning: 'where the audit log goes: a JSON line for each write and each request that is refused before the database; SIGHUP reopens it',
  }),
};

const proven: readonly string[] = ['keystone', 'static'];

function areMethods(names: readonly string[]): names is readonly AuthenticationMethod[] {
  if (names.length === 1 && names[0] === 'noauth') return true;
  return names.every((name) => proven.includes(name)) && new Set(names).size === names.length;
}

/** What is wrong with these settings together, and with the address to listen on. */
export function accessFaults({ auth, tokensFile, host }: ValuesOf<typeof accessSettings> & { readonly host: string }): string[] {
  const faults: string[] = [];
  if (auth.includes('noauth') && !isLoopback(host)) {
    faults.push(
      `PLACEMENT_HOST=${JSON.stringify(host)} is refused with PLACEMENT_AUTH=noauth, which lets anyone be the administrator: use 127.0.0.1, ::1 or localhost, or PLACEMENT_AUTH=keystone or static`,
    );
  }
  if (auth.includes('static') && tokensFile === null) {
    faults.push('PLACEMENT_AUTH=static needs PLACEMENT_TOKENS_FILE, the file of its tokens');
  }
  return faults;
}
