// The settings of Keystone, named as operators know them from the section [keystone_authtoken]: names, defaults, meanings, checks.
import { z } from 'zod';

export interface KeystoneSettings {
  /** Where the gateway logs in; not null with the method `keystone`. */
  readonly keystoneAuthUrl: string | null;
  readonly keystoneUsername: string | null;
  readonly keystonePassword: string | null;
  /** Read at each log-in, so that it can be changed while the gateway runs. */
  readonly keystonePasswordFile: string | null;
  readonly keystoneUserDomainId: string | null;
  readonly keystoneUserDomainName: string;
  readonly keystoneProjectName: string | null;
  readonly keystoneProjectDomainId: string | null;
  readonly keystoneProjectDomainName: string;
  readonly keystoneApplicationCredentialId: string | null;
  readonly keystoneApplicationCredentialSecret: string | null;
  /** Read at each log-in. */
  readonly keystoneApplicationCredentialSecretFile: string | null;
  readonly keystoneInterface: 'public' | 'internal' | 'admin';
  /** Null for any. */
  readonly keystoneRegionName: string | null;
  readonly keystoneCafile: string | null;
  readonly keystoneCertfile: string | null;
  readonly keystoneKeyfile: string | null;
  readonly keystoneInsecure: boolean;
  /** Seconds. */
  readonly keystoneTimeout: number;
  /** Seconds; 0 validates every request. */
  readonly keystoneTokenCacheTime: number;
  readonly keystoneServiceTokenRoles: readonly string[];
  readonly keystoneServiceTokenRolesRequired: boolean;
  /** Null for `keystoneAuthUrl`. */
  readonly keystoneWwwAuthenticateUri: string | null;
  /** Where people may sign in with a password. */
  readonly keystoneSignIn: 'local' | 'anywhere' | 'off';
}

type Row = readonly [key: keyof KeystoneSettings, variable: string, argument: string, fallback: string, meaning: string];

export const keystoneRows: readonly Row[] = [
  ['keystoneAuthUrl', 'PLACEMENT_KEYSTONE_AUTH_URL', 'url', 'none', 'where the gateway logs in, with or without /v3'],
  ['keystoneUsername', 'PLACEMENT_KEYSTONE_USERNAME', 'name', 'none', 'the service user, with the role service'],
  ['keystonePassword', 'PLACEMENT_KEYSTONE_PASSWORD', 'password', 'none', 'its password'],
  ['keystonePasswordFile', 'PLACEMENT_KEYSTONE_PASSWORD_FILE', 'path', 'none', 'a file with its password, read at each log-in'],
  ['keystoneUserDomainName', 'PLACEMENT_KEYSTONE_USER_DOMAIN_NAME', 'name', 'Default', 'the domain of the service user'],
  ['keystoneUserDomainId', 'PLACEMENT_KEYSTONE_USER_DOMAIN_ID', 'id', 'none', 'the same by id'],
  ['keystoneProjectName', 'PLACEMENT_KEYSTONE_PROJECT_NAME', 'name', 'none', 'the project of the service user'],
  ['keystoneProjectDomainName', 'PLACEMENT_KEYSTONE_PROJECT_DOMAIN_NAME', 'name', 'Default', 'the domain of that project'],
  ['keystoneProjectDomainId', 'PLACEMENT_KEYSTONE_PROJECT_DOMAIN_ID', 'id', 'none', 'the same by id'],
  [
    'keystoneApplicationCredentialId',
    'PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID',
    'id',
    'none',
    'an application credential, instead of user, password and project',
  ],
  ['keystoneApplicationCredentialSecret', 'PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET', 'secret', 'none', 'its secret'],
  [
    'keystoneApplicationCredentialSecretFile',
    'PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET_FILE',
    'path',
    'none',
    'a file with its secret, read at each log-in',
  ],
  [
    'keystoneInterface',
    'PLACEMENT_KEYSTONE_INTERFACE',
    'name',
    'internal',
    'the endpoint of the catalog at which tokens are validated: public, internal or admin',
  ],
  ['keystoneRegionName', 'PLACEMENT_KEYSTONE_REGION_NAME', 'name', 'any', 'the region of that endpoint'],
  [
    'keystoneCafile',
    'PLACEMENT_KEYSTONE_CAFILE',
    'path',
    'those of Node.js',
    'the authorities that may sign certificates of Keystone, as PEM',
  ],
  ['keystoneCertfile', 'PLACEMENT_KEYSTONE_CERTFILE', 'path', 'none', 'a client certificate for Keystone, as PEM'],
  ['keystoneKeyfile', 'PLACEMENT_KEYSTONE_KEYFILE', 'path', 'none', 'the key of that certificate, as PEM'],
  [
    'keystoneInsecure',
    'PLACEMENT_KEYSTONE_INSECURE',
    'on|off',
    'off',
    'on skips the checks of the certificates of Keystone; for trials only',
  ],
  [
    'keystoneTimeout',
    'PLACEMENT_KEYSTONE_TIMEOUT',
    'seconds',
    '5',
    'how long a request waits for Keystone in total; then the answer is 503',
  ],
  [
    'keystoneTokenCacheTime',
    'PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME',
    'seconds',
    '300',
    'how long a token counts as valid without another validation, so how long a revoked one may still work; 0 validates every request',
  ],
  [
    'keystoneServiceTokenRoles',
    'PLACEMENT_KEYSTONE_SERVICE_TOKEN_ROLES',
    'list',
    'service',
    'the roles of a valid X-Service-Token, separated by commas: one of them is enough',
  ],
  [
    'keystoneServiceTokenRolesRequired',
    'PLACEMENT_KEYSTONE_SERVICE_TOKEN_ROLES_REQUIRED',
    'on|off',
    'on',
    'whether an X-Service-Token without such a role is refused',
  ],
  [
    'keystoneWwwAuthenticateUri',
    'PLACEMENT_KEYSTONE_WWW_AUTHENTICATE_URI',
    'url',
    'PLACEMENT_KEYSTONE_AUTH_URL',
    'the public address of Keystone, which callers without a token are referred to',
  ],
  [
    'keystoneSignIn',
    'PLACEMENT_KEYSTONE_SIGN_IN',
    'where',
    'local',
    'from where the dashboard accepts passwords: local for this machine only, anywhere if a proxy in front speaks TLS with browsers, or off',
  ],
];

const words = z.string().nullable().default(null);
const onOrOff = (fallback: boolean) => z.stringbool({ error: 'must be on or off' }).default(fallback);
const webAddress = z
  .string()
  .refine(isPlainUrl, 'must be a URL such as https://keystone.example:5000/v3, without a user, a query or a fragment')
  .nullable()
  .default(null);

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

function seconds(from: number, to: number, fallback: number) {
  const allowed = `must be a whole number of seconds from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, allowed)
    .transform(Number)
    .refine((number) => number >= from && number <= to, allowed)
    .default(fallback);
}

/** The checks of each setting alone. */
export const keystoneShape = {
  keystoneAuthUrl: webAddress,
  keystoneUsername: words,
  keystonePassword: words,
  keystonePasswordFile: words,
  keystoneUserDomainId: words,
  keystoneUserDomainName: z.string().default('Default'),
  keystoneProjectName: words,
  keystoneProjectDomainId: words,
  keystoneProjectDomainName: z.string().default('Default'),
  keystoneApplicationCredentialId: words,
  keystoneApplicationCredentialSecret: words,
  keystoneApplicationCredentialSecretFile: words,
  keystoneInterface: z.enum(['public', 'internal', 'admin'], 'must be public, internal or admin').default('internal'),
  keystoneRegionName: words,
  keystoneCafile: words,
  keystoneCertfile: words,
  keystoneKeyfile: words,
  keystoneInsecure: onOrOff(false),
  keystoneTimeout: seconds(1, 60, 5),
  keystoneTokenCacheTime: seconds(0, 86_400, 300),
  keystoneServiceTokenRoles: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .refine((names) => names.every((name) => name !== ''), 'must be names of roles, separated by commas')
    .default(['service']),
  keystoneServiceTokenRolesRequired: onOrOff(true),
  keystoneWwwAuthenticateUri: webAddress,
  keystoneSignIn: z.enum(['local', 'anywhere', 'off'], 'must be local, anywhere or off').default('local'),
};

/** The settings that may contain a secret; an address may contain one that is not allowed there. */
export const keystoneSecrets: readonly (keyof KeystoneSettings)[] = [
  'keystoneAuthUrl',
  'keystonePassword',
  'keystoneApplicationCredentialSecret',
  'keystoneWwwAuthenticateUri',
];

/** The faults of the settings in combination, for a gateway that uses Keystone. */
export function keystoneFaults(settings: KeystoneSettings): string[] {
  const { keystoneAuthUrl, keystoneUsername, keystonePassword, keystonePasswordFile, keystoneProjectName } = settings;
  const { keystoneApplicationCredentialId, keystoneApplicationCredentialSecret, keystoneApplicationCredentialSecretFile } = settings;
  const faults: string[] = [];
  const needs = (value: string | null, variable: string) => {
    if (value === null) faults.push(`PLACEMENT_AUTH=keystone needs ${variable}`);
  };
  const needsOne = (value: string | null, file: string | null, variable: string) => {
    if (value === null && file === null) faults.push(`PLACEMENT_AUTH=keystone needs ${variable} or ${variable}_FILE`);
    if (value !== null && file !== null) faults.push(`${variable} and ${variable}_FILE are both given: use one`);
  };
  needs(keystoneAuthUrl, 'PLACEMENT_KEYSTONE_AUTH_URL');
  if (keystoneApplicationCredentialId !== null) {
    const variable = 'PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET';
    needsOne(keystoneApplicationCredentialSecret, keystoneApplicationCredentialSecretFile, variable);
    if (keystoneUsername !== null) {
      faults.push('PLACEMENT_KEYSTONE_USERNAME and PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID are both given: use one');
    }
  } else {
    needs(keystoneUsername, 'PLACEMENT_KEYSTONE_USERNAME, or PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID');
    needsOne(keystonePassword, keystonePasswordFile, 'PLACEMENT_KEYSTONE_PASSWORD');
    needs(keystoneProjectName, 'PLACEMENT_KEYSTONE_PROJECT_NAME');
  }
  if ((settings.keystoneCertfile === null) !== (settings.keystoneKeyfile === null)) {
    faults.push('PLACEMENT_KEYSTONE_CERTFILE and PLACEMENT_KEYSTONE_KEYFILE are needed together');
  }
  return faults;
}
