// The settings of Keystone, named as operators know them from the section [keystone_authtoken].
import { setting, type ValuesOf } from './setting.ts';
import { anyText, list, oneOf, onOrOff, optionalText, wholeNumber } from './values.ts';

const webAddress = anyText.refine(
  isPlainUrl,
  'must be a URL such as https://keystone.example:5000/v3, without a user, a query or a fragment',
);

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

export const keystoneSettings = {
  /** Where the gateway logs in; not null with the method `keystone`. */
  keystoneAuthUrl: setting({
    variable: 'PLACEMENT_KEYSTONE_AUTH_URL',
    argument: 'url',
    form: webAddress,
    absent: null,
    fallback: 'none',
    meaning: 'where the gateway logs in, with or without /v3',
    isSecret: true,
  }),
  keystoneUsername: setting({
    variable: 'PLACEMENT_KEYSTONE_USERNAME',
    argument: 'name',
    ...optionalText,
    meaning: 'the service user, with the role service',
  }),
  keystonePassword: setting({
    variable: 'PLACEMENT_KEYSTONE_PASSWORD',
    argument: 'password',
    ...optionalText,
    meaning: 'its password',
    isSecret: true,
  }),
  /** Read at each log-in, so that it can be changed while the gateway runs. */
  keystonePasswordFile: setting({
    variable: 'PLACEMENT_KEYSTONE_PASSWORD_FILE',
    argument: 'path',
    ...optionalText,
    meaning: 'a file with its password, read at each log-in',
  }),
  keystoneUserDomainName: setting({
    variable: 'PLACEMENT_KEYSTONE_USER_DOMAIN_NAME',
    argument: 'name',
    form: anyText,
    fallback: 'Default',
    meaning: 'the domain of the service user',
  }),
  keystoneUserDomainId: setting({
    variable: 'PLACEMENT_KEYSTONE_USER_DOMAIN_ID',
    argument: 'id',
    ...optionalText,
    meaning: 'the same by id',
  }),
  keystoneProjectName: setting({
    variable: 'PLACEMENT_KEYSTONE_PROJECT_NAME',
    argument: 'name',
    ...optionalText,
    meaning: 'the project of the service user',
  }),
  keystoneProjectDomainName: setting({
    variable: 'PLACEMENT_KEYSTONE_PROJECT_DOMAIN_NAME',
    argument: 'name',
    form: anyText,
    fallback: 'Default',
    meaning: 'the domain of that project',
  }),
  keystoneProjectDomainId: setting({
    variable: 'PLACEMENT_KEYSTONE_PROJECT_DOMAIN_ID',
    argument: 'id',
    ...optionalText,
    meaning: 'the same by id',
  }),
  keystoneApplicationCredentialId: setting({
    variable: 'PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID',
    argument: 'id',
    ...optionalText,
    meaning: 'an application credential, in place of user, password and project',
  }),
  keystoneApplicationCredentialSecret: setting({
    variable: 'PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET',
    argument: 'secret',
    ...optionalText,
    meaning: 'its secret',
    isSecret: true,
  }),
  /** Read at each log-in. */
  keystoneApplicationCredentialSecretFile: setting({
    variable: 'PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET_FILE',
    argument: 'path',
    ...optionalText,
    meaning: 'a file with its secret, read at each log-in',
  }),
  keystoneInterface: setting({
    variable: 'PLACEMENT_KEYSTONE_INTERFACE',
    argument: 'name',
    form: oneOf(['public', 'internal', 'admin']),
    fallback: 'internal',
    meaning: 'the endpoint of the catalog at which tokens are validated: public, internal or admin',
  }),
  /** Null for any. */
  keystoneRegionName: setting({
    variable: 'PLACEMENT_KEYSTONE_REGION_NAME',
    argument: 'name',
    form: anyText,
    absent: null,
    fallback: 'any',
    meaning: 'the region of that endpoint',
  }),
  keystoneCafile: setting({
    variable: 'PLACEMENT_KEYSTONE_CAFILE',
    argument: 'path',
    form: anyText,
    absent: null,
    fallback: 'those of Node',
    meaning: 'the authorities that may sign certificates of Keystone, as PEM',
  }),
  keystoneCertfile: setting({
    variable: 'PLACEMENT_KEYSTONE_CERTFILE',
    argument: 'path',
    ...optionalText,
    meaning: 'a client certificate for Keystone, as PEM',
  }),
  keystoneKeyfile: setting({
    variable: 'PLACEMENT_KEYSTONE_KEYFILE',
    argument: 'path',
    ...optionalText,
    meaning: 'the key of that certificate, as PEM',
  }),
  keystoneInsecure: setting({
    variable: 'PLACEMENT_KEYSTONE_INSECURE',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'off',
    meaning: 'whether certificates of Keystone are accepted unchecked; for trials only',
  }),
  /** Seconds. */
  keystoneTimeout: setting({
    variable: 'PLACEMENT_KEYSTONE_TIMEOUT',
    argument: 'seconds',
    form: wholeNumber(1, 60),
    fallback: '5',
    meaning: 'how long a request waits for Keystone, in all; then the answer is 503',
  }),
  /** Seconds. */
  keystoneTokenCacheTime: setting({
    variable: 'PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME',
    argument: 'seconds',
    form: wholeNumber(0, 86_400),
    fallback: '300',
    meaning:
      'how long a token that was validated is not validated again, and therefore how long a revoked one may work; 0 validates every request',
  }),
  keystoneServiceTokenRoles: setting({
    variable: 'PLACEMENT_KEYSTONE_SERVICE_TOKEN_ROLES',
    argument: 'list',
    form: list.refine((names) => names.every((name) => name !== ''), 'must be names of roles, separated by commas'),
    fallback: 'service',
    meaning: 'the roles of a valid X-Service-Token, separated by commas; one of them is enough',
  }),
  keystoneServiceTokenRolesRequired: setting({
    variable: 'PLACEMENT_KEYSTONE_SERVICE_TOKEN_ROLES_REQUIRED',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'on',
    meaning: 'whether an X-Service-Token without such a role is refused',
  }),
  /** Null if quotas are set by callers. */
  keystoneLimitsEndpointId: setting({
    variable: 'PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID',
    argument: 'id',
    ...optionalText,
    meaning: 'an endpoint of Nova, as endpoint_id of its [oslo_limit]: the unified limits of this service and region become the quotas',
  }),
  /** Null for `keystoneAuthUrl`. */
  keystoneWwwAuthenticateUri: setting({
    variable: 'PLACEMENT_KEYSTONE_WWW_AUTHENTICATE_URI',
    argument: 'url',
    form: webAddress,
    absent: null,
    fallback: 'PLACEMENT_KEYSTONE_AUTH_URL',
    meaning: 'where callers without a token are sent to get one: the public address of Keystone',
    isSecret: true,
  }),
  /** From where people may sign in with a password. */
  keystoneSignIn: setting({
    variable: 'PLACEMENT_KEYSTONE_SIGN_IN',
    argument: 'where',
    form: oneOf(['local', 'anywhere', 'off']),
    fallback: 'local',
    meaning:
      'from where the dashboard takes passwords: local (this machine), anywhere (if a proxy in front speaks TLS with browsers), or off',
  }),
};

export type KeystoneSettings = ValuesOf<typeof keystoneSettings>;

/** What is wrong with the settings together, for a gateway that uses Keystone. */
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
  if (settings.keystoneLimitsEndpointId !== null && keystoneApplicationCredentialId !== null) {
    faults.push(
      'PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID needs PLACEMENT_KEYSTONE_USERNAME: an application credential cannot read the limits of all projects',
    );
  }
  if ((settings.keystoneCertfile === null) !== (settings.keystoneKeyfile === null)) {
    faults.push('PLACEMENT_KEYSTONE_CERTFILE and PLACEMENT_KEYSTONE_KEYFILE are needed together');
  }
  return faults;
}
