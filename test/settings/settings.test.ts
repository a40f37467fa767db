import { describe, expect, test } from 'vitest';
import { isLoopback } from '../../src/http/callers.ts';
import { effectiveSettings, readSettings, settingDescriptions, settingsTable } from '../../src/settings/settings.ts';

describe('settings', () => {
  test('an empty environment gives the documented defaults', () => {
    expect(readSettings({})).toEqual({
      settings: {
        databaseUrl: null,
        databaseVolumes: [],
        databasePasswordFile: null,
        databaseMigrationUrl: null,
        databaseSchema: 'placement',
        dataDirectory: '.placement-data',
        host: '127.0.0.1',
        port: 8778,
        trustedProxies: [],
        proxyProtocol: false,
        auth: ['noauth'],
        tokensFile: null,
        callerCost: [
          ['service', null],
          ['admin', 5_000_000],
          ['*', 500_000],
        ],
        callerRequests: [
          ['service', null],
          ['admin', 200],
          ['*', 20],
        ],
        trustedDocuments: null,
        policyFile: null,
        policyDirectories: [],
        policyRules: 'current',
        policyEnforceNewDefaults: true,
        policyEnforceScope: true,
        policyUnknownRules: 'warn',
        keystoneAuthUrl: null,
        keystoneUsername: null,
        keystonePassword: null,
        keystonePasswordFile: null,
        keystoneUserDomainId: null,
        keystoneUserDomainName: 'Default',
        keystoneProjectName: null,
        keystoneProjectDomainId: null,
        keystoneProjectDomainName: 'Default',
        keystoneApplicationCredentialId: null,
        keystoneApplicationCredentialSecret: null,
        keystoneApplicationCredentialSecretFile: null,
        keystoneInterface: 'internal',
        keystoneRegionName: null,
        keystoneCafile: null,
        keystoneCertfile: null,
        keystoneKeyfile: null,
        keystoneInsecure: false,
        keystoneTimeout: 5,
        keystoneTokenCacheTime: 300,
        keystoneServiceTokenRoles: ['service'],
        keystoneServiceTokenRolesRequired: true,
        keystoneSignIn: 'local',
        keystoneLimitsEndpointId: null,
        keystoneWwwAuthenticateUri: null,
        logLevel: 'info',
        auditLog: 'off',
        readConnections: 6,
        writeConnections: 12,
        eventRetentionDays: 90,
        usageSampleDays: 90,
        databaseReplicaUrls: [],
        replicaLag: 10,
        synchronousCommit: 'on',
        logOperations: 1,
        addressConnections: 1000,
        slowOperation: 1000,
        workers: 1,
        metrics: true,
        metricsPort: null,
        inFrontOf: null,
        inFrontOfToken: null,
        executor: 'jit',
        introspection: 'on',
        federation: false,
        allowedHosts: [],
        corsAllowedOrigins: [],
        randomizeCandidates: false,
        restQuotas: false,
        maxCandidates: null,
      },
      warnings: [],
    });
  });

  test('the environment is read, and an empty variable counts as not given', () => {
    const { settings } = readSettings({
      DATABASE_URL: 'postgres://localhost/placement',
      PLACEMENT_PORT: '9000',
      PLACEMENT_HOST: '',
      PLACEMENT_EXECUTOR: 'graphql-js',
      PLACEMENT_INTROSPECTION: 'off',
      PLACEMENT_FEDERATION: 'on',
      PLACEMENT_EVENT_RETENTION_DAYS: '30',
    });
    expect(settings).toMatchObject({
      databaseUrl: 'postgres://localhost/placement',
      port: 9000,
      host: '127.0.0.1',
      executor: 'graphql-js',
      introspection: 'off',
      federation: true,
      eventRetentionDays: 30,
    });
  });

  test('all events are kept by asking for it', () => {
    expect(readSettings({ PLACEMENT_EVENT_RETENTION_DAYS: 'forever' }).settings.eventRetentionDays).toBeNull();
  });

  test('a flag overrides the environment', () => {
    expect(readSettings({ PLACEMENT_PORT: '9000' }, { port: '9001' }).settings.port).toBe(9001);
  });

  test.each(['0', '65535'])('the end %s of a range is in it', (port) => {
    expect(readSettings({ PLACEMENT_PORT: port }).settings.port).toBe(Number(port));
  });

  test.each([
    [{ PLACEMENT_PORT: 'http' }, 'PLACEMENT_PORT="http" must be a whole number from 0 to 65535'],
    [{ PLACEMENT_PORT: '65536' }, 'PLACEMENT_PORT="65536" must be a whole number from 0 to 65535'],
    [{ PLACEMENT_PORT: '1e3' }, 'PLACEMENT_PORT="1e3" must be a whole number from 0 to 65535'],
    [{ PLACEMENT_LOG_LEVEL: 'loud' }, 'PLACEMENT_LOG_LEVEL="loud" must be one of trace, debug, info, warn, error, fatal, silent'],
    [
      { PLACEMENT_EVENT_RETENTION_DAYS: 'ever' },
      'PLACEMENT_EVENT_RETENTION_DAYS="ever" must be a whole number from 1 to 36500, or forever',
    ],
    [{ PLACEMENT_EVENT_RETENTION_DAYS: '0' }, 'PLACEMENT_EVENT_RETENTION_DAYS="0" must be a whole number from 1 to 36500, or forever'],
    [{ PLACEMENT_READ_CONNECTIONS: '0' }, 'PLACEMENT_READ_CONNECTIONS="0" must be a whole number from 1 to 1000'],
    [{ DATABASE_REPLICA_URLS: 'postgres://a/p, mysql://b/p' }, 'DATABASE_REPLICA_URLS must start with postgres:// or postgresql://'],
    [{ DATABASE_REPLICA_URLS: 'postgres://a,b/p' }, 'DATABASE_REPLICA_URLS must name one server in each URL'],
    [{ PLACEMENT_SYNCHRONOUS_COMMIT: 'off' }, 'PLACEMENT_SYNCHRONOUS_COMMIT="off" must be one of on, local, remote_write, remote_apply'],
    [{ PLACEMENT_EXECUTOR: 'fast' }, 'PLACEMENT_EXECUTOR="fast" must be one of jit, graphql-js'],
    [{ PLACEMENT_INTROSPECTION: 'maybe' }, 'PLACEMENT_INTROSPECTION="maybe" must be one of off, on, public'],
    [
      { PLACEMENT_AUTH: 'keystone' },
      'PLACEMENT_AUTH=keystone needs PLACEMENT_KEYSTONE_AUTH_URL; PLACEMENT_AUTH=keystone needs PLACEMENT_KEYSTONE_USERNAME, or PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID; PLACEMENT_AUTH=keystone needs PLACEMENT_KEYSTONE_PASSWORD or PLACEMENT_KEYSTONE_PASSWORD_FILE; PLACEMENT_AUTH=keystone needs PLACEMENT_KEYSTONE_PROJECT_NAME',
    ],
    [
      { PLACEMENT_AUTH: 'keystone', PLACEMENT_KEYSTONE_PASSWORD: 's3cret', PLACEMENT_KEYSTONE_PASSWORD_FILE: '/run/password' },
      'PLACEMENT_KEYSTONE_PASSWORD and PLACEMENT_KEYSTONE_PASSWORD_FILE are both given: use one',
    ],
    [
      { PLACEMENT_AUTH: 'keystone', PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID: 'a', PLACEMENT_KEYSTONE_USERNAME: 'placement' },
      'PLACEMENT_KEYSTONE_USERNAME and PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID are both given: use one',
    ],
    [
      { PLACEMENT_KEYSTONE_AUTH_URL: 'https://placement:s3cret@keystone/v3' },
      /^PLACEMENT_KEYSTONE_AUTH_URL must be a URL such as https:\/\/keystone.example:5000\/v3, without a user, a query or a fragment$/,
    ],
    [{ PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID: 'e1' }, 'PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID needs PLACEMENT_AUTH=keystone'],
    [
      { PLACEMENT_AUTH: 'keystone', PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID: 'e1', PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_ID: 'a' },
      'PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID needs PLACEMENT_KEYSTONE_USERNAME: an application credential cannot read the limits of all projects',
    ],
    [{ PLACEMENT_KEYSTONE_INTERFACE: 'internalURL' }, 'must be one of public, internal, admin'],
    [{ PLACEMENT_KEYSTONE_TIMEOUT: '0' }, 'must be a whole number from 1 to 60'],
    [
      { PLACEMENT_AUTH: 'noauth,static' },
      'PLACEMENT_AUTH="noauth,static" must be noauth, or keystone, static or both with a comma between',
    ],
    [{ PLACEMENT_AUTH: 'static,static' }, 'must be noauth, or keystone, static or both with a comma between'],
    [{ PLACEMENT_AUTH: 'static' }, 'PLACEMENT_AUTH=static needs PLACEMENT_TOKENS_FILE, the file of its tokens'],
    [{ PLACEMENT_AUTH: 'none' }, 'PLACEMENT_AUTH="none" must be noauth, or keystone, static or both with a comma between'],
  ])('%o is refused by name, value and what is allowed', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message);
  });

  test('a bad flag is named as the flag', () => {
    expect(() => readSettings({}, { port: '-1' })).toThrow('--port="-1" must be a whole number');
  });

  test('all bad settings are reported at once, in one line', () => {
    expect(() => readSettings({ PLACEMENT_PORT: 'a', PLACEMENT_EXECUTOR: 'b' })).toThrow(
      /^PLACEMENT_PORT="a" [^\n]*; PLACEMENT_EXECUTOR="b" /,
    );
  });

  test('a bad database URL is refused without its text, which may hold a password', () => {
    expect(() => readSettings({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).toThrow(
      /^DATABASE_URL must start with postgres:\/\/ or postgresql:\/\/$/,
    );
  });

  test('noauth, unlike static, is refused on an address that others can reach', () => {
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.org', '127.example.org']) {
      expect(() => readSettings({ PLACEMENT_HOST: host })).toThrow('is refused with PLACEMENT_AUTH=noauth');
    }
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1']) {
      expect(isLoopback(host)).toBe(true);
      expect(readSettings({ PLACEMENT_HOST: host }).settings.host).toBe(host);
    }
    const { settings } = readSettings({ PLACEMENT_HOST: '0.0.0.0', PLACEMENT_AUTH: 'static', PLACEMENT_TOKENS_FILE: '/etc/tokens.json' });
    expect(settings).toMatchObject({ host: '0.0.0.0', auth: ['static'], tokensFile: '/etc/tokens.json' });
  });

  test('an unknown PLACEMENT_ variable is a warning that names the setting it resembles', () => {
    expect(readSettings({ PLACEMENT_PROT: '1', PLACEMENT_WHATEVER_ELSE: '1', OTHER: '1' }).warnings).toEqual([
      'PLACEMENT_PROT is not a setting and is ignored; did you mean PLACEMENT_PORT?',
      'PLACEMENT_WHATEVER_ELSE is not a setting and is ignored',
    ]);
  });

  test('the service links of Kubernetes are ignored, with one warning for the one that has the name of a setting', () => {
    const { settings, warnings } = readSettings({
      PLACEMENT_PORT: 'tcp://10.0.0.1:8778',
      PLACEMENT_PORT_8778_TCP: 'tcp://10.0.0.1:8778',
      PLACEMENT_PORT_8778_TCP_ADDR: '10.0.0.1',
      PLACEMENT_SERVICE_HOST: '10.0.0.1',
      PLACEMENT_SERVICE_PORT: '8778',
      PLACEMENT_SERVICE_PORT_HTTP: '8778',
      PLACEMENT_DB_PORT: 'tcp://10.0.0.2:5432',
    });
    expect(settings.port).toBe(8778);
    expect(warnings).toEqual(['PLACEMENT_PORT=tcp://10.0.0.1:8778 is ignored: it is a service link of Kubernetes, not a port']);
  });

  test('the effective settings hold every setting and no password', () => {
    const shown = (databaseUrl: string) => effectiveSettings(readSettings({ DATABASE_URL: databaseUrl }).settings).DATABASE_URL;
    expect(shown('postgres://placement:s3cret@db.example:5432/p')).toBe('postgres://placement:***@db.example:5432/p');
    expect(shown('postgres://placement:s@c/r:et@db/p')).toBe('postgres://placement:***@db/p');
    expect(shown('postgres://db/p?sslcert=c&sslpassword=s3cret&sslkey=k')).toBe('postgres://db/p?sslcert=c&sslpassword=***&sslkey=k');
    expect(shown('postgres://db/p')).toBe('postgres://db/p');
    expect(Object.keys(effectiveSettings(readSettings({}).settings))).toEqual(settingDescriptions.map(({ variable }) => variable));
  });

  test('a URL of a database is read from a file, and never shown', () => {
    const files: Record<string, string> = { '/run/url': 'postgres://placement:s3cret@db/p\n', '/run/bad': 'mysql://s3cret' };
    const read = (environment: Record<string, string>) =>
      readSettings(environment, {}, (path) => {
        if (!(path in files)) throw new Error('ENOENT');
        return files[path] ?? '';
      });
    const { settings, warnings } = read({ DATABASE_URL_FILE: '/run/url', DATABASE_MIGRATION_URL_FILE: '/run/url' });
    expect(warnings).toEqual([]);
    expect([settings.databaseUrl, settings.databaseMigrationUrl]).toEqual(Array(2).fill('postgres://placement:s3cret@db/p'));
    expect(JSON.stringify(effectiveSettings(settings))).not.toContain('s3cret');
    expect(() => read({ DATABASE_URL_FILE: '/run/bad' })).toThrow(/^DATABASE_URL must start with postgres/);
    expect(() => read({ DATABASE_URL_FILE: '/run/none' })).toThrow('DATABASE_URL_FILE="/run/none" cannot be read (ENOENT)');
    expect(() => read({ DATABASE_URL_FILE: '/run/url', DATABASE_URL: 'postgres://db/p' })).toThrow('are both given');
  });

  test('the secrets of Keystone are never shown, and a file with one is read later, for each log-in', () => {
    const { settings, warnings } = readSettings({
      PLACEMENT_AUTH: 'keystone, static',
      PLACEMENT_TOKENS_FILE: '/etc/tokens.json',
      PLACEMENT_KEYSTONE_AUTH_URL: 'https://keystone.example:5000',
      PLACEMENT_KEYSTONE_USERNAME: 'placement',
      PLACEMENT_KEYSTONE_PASSWORD: 's3cret',
      PLACEMENT_KEYSTONE_PROJECT_NAME: 'service',
      PLACEMENT_KEYSTONE_APPLICATION_CREDENTIAL_SECRET: 's3cret',
      PLACEMENT_KEYSTONE_SERVICE_TOKEN_ROLES: 'service, admin',
    });
    expect(warnings).toEqual([]);
    expect(settings).toMatchObject({ auth: ['keystone', 'static'], keystoneServiceTokenRoles: ['service', 'admin'] });
    expect(JSON.stringify(effectiveSettings(settings))).not.toContain('s3cret');
    const file = { PLACEMENT_KEYSTONE_PASSWORD_FILE: '/run/password' };
    expect(readSettings(file).settings.keystonePasswordFile).toBe('/run/password');
  });

  test.each(['Placement', 'pg_placement', '1st', 'a-b', 'a'.repeat(41)])('%s is no name of a schema', (name) => {
    expect(() => readSettings({ PLACEMENT_DATABASE_SCHEMA: name })).toThrow('must be at most 40 of a to z');
  });

  test('the help lists every setting with its flag and default', () => {
    expect(settingsTable()).toContain('PLACEMENT_DATA_DIR, --data-dir <path>');
    expect(settingsTable().split('\n')).toHaveLength(settingDescriptions.length);
  });
});
