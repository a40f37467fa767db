// The settings of the process, from environment or flags: names, defaults, checks, and the text of --help. main.ts passes in the
// environment and the flags; of files only those that hold secrets are read. Does not open or check what else the settings refer to.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { budgetRows, budgetShape, textOfBound } from '../auth/budget-settings.ts';
import type { BudgetSettings } from '../auth/budgets.ts';
import { type KeystoneSettings, keystoneFaults, keystoneRows, keystoneSecrets, keystoneShape } from '../auth/keystone/settings.ts';
import type { PolicySettings } from '../auth/policy/open.ts';
import { urlFault } from '../db/sql/address.ts';
import type { AuthenticationMethod } from '../domain/identity.ts';
import { isLoopback } from '../http/callers.ts';
import { policyRows, policyShape } from './policy.ts';
import { type ProcessSettings, processRows, processShape } from './processes.ts';
import { type ProxySettings, proxyFaults, proxyRows, proxyShape } from './proxies.ts';
import { type ReplicaSettings, replicaRows, replicaShape } from './replicas.ts';
import { unknownVariables } from './unknown-variables.ts';
import { namesIn, numberOr, oneOf, wholeNumber } from './values.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface Settings extends KeystoneSettings, PolicySettings, BudgetSettings, ProcessSettings, ProxySettings, ReplicaSettings {
  /** `postgres://…`; null for the embedded Postgres. */
  readonly databaseUrl: string | null;
  /** A file with the password for it; null when the URL has it. */
  readonly databasePasswordFile: string | null;
  /** With the role that owns the tables; null when that of `databaseUrl` does. */
  readonly databaseMigrationUrl: string | null;
  /** The schema of the tables. */
  readonly databaseSchema: string;
  /** The directory of the embedded Postgres. */
  readonly dataDirectory: string;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** `noauth` alone, or the others in any combination. */
  readonly auth: readonly AuthenticationMethod[];
  /** The file of static tokens; not null with `static`. */
  readonly tokensFile: string | null;
  /** A file with the only documents that most callers may send; null for any. */
  readonly trustedDocuments: string | null;
  readonly logLevel: LogLevel;
  /** Where writes and refusals of access are recorded: a path, `stderr` or `off`. */
  readonly auditLog: string;
  /** Connections of all workers together. */
  readonly readConnections: number;
  readonly writeConnections: number;
  /** Days to keep events; null means forever. */
  readonly eventRetentionDays: number | null;
  /** How long samples of the usage of the cloud are kept, in days; null takes none. */
  readonly usageSampleDays: number | null;
  readonly executor: 'jit' | 'graphql-js';
  /** Who may read the schema: nobody; who is permitted, through the API and at /schema.graphql; at the latter anyone. */
  readonly introspection: 'off' | 'on' | 'public';
  /** Whether a federation router may use this gateway as a subgraph. */
  readonly federation: boolean;
  /** Names, in addition to those of this machine, under which noauth is allowed; lowercase, without a port. */
  readonly allowedHosts: readonly string[];
  /** Origins whose scripts may call from a browser; an empty list disables CORS. */
  readonly corsAllowedOrigins: readonly string[];
  /** Whether the REST API shuffles the candidates in every answer. */
  readonly randomizeCandidates: boolean;
  /** The maximum number of candidates in an answer of the REST API, whatever its limit; null for no maximum. */
  readonly maxCandidates: number | null;
}

/** One setting as users see it. `flag` is without dashes. */
export interface SettingDescription {
  readonly key: keyof Settings;
  readonly variable: string;
  readonly flag: string;
  readonly argument: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** Invalid settings; the message names each of them, its value and what is allowed, in one line. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.name = 'SettingsError';
  }
}

export const settingDescriptions: readonly SettingDescription[] = [
  describe('databaseUrl', 'DATABASE_URL', 'url', 'embedded', 'postgres://… (15 or newer); without it an embedded Postgres is run'),
  describe('databasePasswordFile', 'DATABASE_PASSWORD_FILE', 'path', 'none', 'a file with the password of DATABASE_URL'),
  describe(
    'databaseMigrationUrl',
    'DATABASE_MIGRATION_URL',
    'url',
    'DATABASE_URL',
    'the database with the role that may change its tables',
  ),
  describe('databaseSchema', 'PLACEMENT_DATABASE_SCHEMA', 'name', 'placement', 'the schema of the tables'),
  describe('dataDirectory', 'PLACEMENT_DATA_DIR', 'path', '.placement-data', 'where the embedded Postgres keeps its files'),
  describe('host', 'PLACEMENT_HOST', 'address', '127.0.0.1', 'address to listen on'),
  describe('port', 'PLACEMENT_PORT', 'number', '8778', 'port to listen on; 0 takes a free one'),
  ...proxyRows.map((row) => describe(...row)),
  describe(
    'auth',
    'PLACEMENT_AUTH',
    'list',
    'noauth',
    'keystone, static (the tokens of PLACEMENT_TOKENS_FILE), both with a comma between, or noauth (the token is user:project, on loopback addresses only)',
  ),
  describe('tokensFile', 'PLACEMENT_TOKENS_FILE', 'path', 'none', 'the file of static tokens, changed by the command token'),
  ...policyRows.map((row) => describe(...row)),
  ...keystoneRows.map((row) => describe(...row)),
  ...budgetRows.map((row) => describe(...row)),
  describe('trustedDocuments', 'PLACEMENT_TRUSTED_DOCUMENTS', 'path', 'none', 'a list of the only documents that most callers may send'),
  describe('logLevel', 'PLACEMENT_LOG_LEVEL', 'level', 'info', 'trace, debug, info, warn, error, fatal, silent'),
  describe(
    'auditLog',
    'PLACEMENT_AUDIT_LOG',
    'path|stderr|off',
    'off',
    'a JSON line for each write and each request that is refused before the database; SIGHUP opens it anew',
  ),
  describe('readConnections', 'PLACEMENT_READ_CONNECTIONS', 'number', '6', 'connections to Postgres for reads, 1 to 1000'),
  describe('writeConnections', 'PLACEMENT_WRITE_CONNECTIONS', 'number', '12', 'connections to Postgres for writes, 1 to 1000'),
  ...replicaRows.map((row) => describe(...row)),
  ...processRows.map((row) => describe(...row)),
  describe('eventRetentionDays', 'PLACEMENT_EVENT_RETENTION_DAYS', 'days', '90', 'how long events are kept at least; forever keeps all'),
  describe(
    'usageSampleDays',
    'PLACEMENT_USAGE_SAMPLE_DAYS',
    'days',
    '90',
    'how long samples of the usage of the cloud are kept: one a minute for 7 days, then one for each quarter of an hour; off takes none',
  ),
  describe('executor', 'PLACEMENT_EXECUTOR', 'name', 'jit', 'jit compiles frequent operations, graphql-js never does'),
  describe('federation', 'PLACEMENT_FEDERATION', 'on|off', 'off', 'whether /graphql is a subgraph of Apollo Federation 2, too'),
  describe(
    'introspection',
    'PLACEMENT_INTROSPECTION',
    'on|off|public',
    'on',
    'whether those who may can read the schema, through the API and at /schema.graphql; public: at /schema.graphql anyone, as always with noauth',
  ),
  describe(
    'allowedHosts',
    'PLACEMENT_ALLOWED_HOSTS',
    'list',
    'none',
    'names in Host that noauth answers beside localhost, with commas between',
  ),
  describe(
    'corsAllowedOrigins',
    'PLACEMENT_CORS_ALLOWED_ORIGIN',
    'list',
    'none',
    'origins whose scripts may call both APIs, with commas between',
  ),
  describe(
    'randomizeCandidates',
    'PLACEMENT_RANDOMIZE_CANDIDATES',
    'on|off',
    'off',
    'whether the REST API answers candidates in random order',
  ),
  describe('maxCandidates', 'PLACEMENT_MAX_CANDIDATES', 'number', 'no limit', 'most candidates in an answer of the REST API'),
];

function describe(key: keyof Settings, variable: string, argument: string, fallback: string, meaning: string): SettingDescription {
  const flag = variable
    .replace(/^PLACEMENT_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return { key, variable, flag, argument, fallback, meaning };
}

/** The form of the header `origin`: a scheme, a host, an optional port, and nothing else. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const proven: readonly string[] = ['keystone', 'static'];

function areMethods(names: string[]): names is AuthenticationMethod[] {
  if (names.length === 1 && names[0] === 'noauth') return true;
  return names.every((name) => proven.includes(name)) && new Set(names).size === names.length;
}

const databaseUrl = z.string().superRefine((url, check) => {
  const fault = urlFault(url);
  if (fault !== null) check.addIssue({ code: 'custom', message: fault });
});

const schema = z.object({
  databaseUrl: databaseUrl.nullable().default(null),
  databasePasswordFile: z.string().nullable().default(null),
  databaseMigrationUrl: databaseUrl.nullable().default(null),
  databaseSchema: z
    .string()
    .regex(/^(?!pg_)[a-z_][a-z0-9_]{0,39}$/, 'must be at most 40 of a to z, 0 to 9 and _, and not begin with a digit or pg_')
    .default('placement'),
  dataDirectory: z.string().default('.placement-data'),
  host: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be an address or a host name')
    .default('127.0.0.1'),
  port: wholeNumber(0, 65_535).default(8778),
  ...proxyShape,
  auth: z
    .string()
    .transform((list) => namesIn(list))
    .refine(areMethods, 'must be noauth, or keystone, static or both with a comma between')
    .default(['noauth']),
  tokensFile: z.string().nullable().default(null),
  ...policyShape,
  ...keystoneShape,
  ...budgetShape,
  trustedDocuments: z.string().nullable().default(null),
  logLevel: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  auditLog: z.string().default('off'),
  readConnections: wholeNumber(1, 1000).default(6),
  writeConnections: wholeNumber(1, 1000).default(12),
  ...replicaShape,
  ...processShape,
  eventRetentionDays: numberOr('forever', 36_500).default(90),
  usageSampleDays: numberOr('off', 3650).default(90),
  executor: oneOf(['jit', 'graphql-js']).default('jit'),
  introspection: oneOf(['off', 'on', 'public']).default('on'),
  federation: z.stringbool({ error: 'must be on or off' }).default(false),
  allowedHosts: z
    .string()
    .transform((list) => namesIn(list.toLowerCase()))
    .refine(
      (names) => names.every((name) => /^[\w.-]+$|^\[[\da-f:.]+\]$/.test(name)),
      'must be names or addresses without a port, with commas between',
    )
    .default([]),
  corsAllowedOrigins: z
    .string()
    .transform(namesIn)
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://cloud.example, with commas between')
    .default([]),
  randomizeCandidates: z.stringbool({ error: 'must be on or off' }).default(false),
  maxCandidates: wholeNumber(1, 999_999_999).nullable().default(null),
});

/** May hold a password: also read, once, from the file that the variable with _FILE at its end names. */
const fromFile: readonly (keyof Settings)[] = ['databaseUrl', 'databaseMigrationUrl', 'databaseReplicaUrls'];
/** May hold a secret: never shown with it. */
const secret: readonly (keyof Settings)[] = [...fromFile, ...keystoneSecrets];

/**
 * The settings from the environment and the flags (by key; flags win; an empty value counts as omitted), and warnings about variables that are
 * ignored. Throws SettingsError.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<keyof Settings, string>>> = {},
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): { settings: Settings; warnings: string[] } {
  const warnings: string[] = [];
  const given: Partial<Record<keyof Settings, string>> = {};
  const sources = new Map<PropertyKey, string>();
  for (const { key, variable, flag } of settingDescriptions) {
    const fromEnvironment = fromFile.includes(key) ? secretOf(variable, environment, readFile) : environment[variable];
    if (flags[key] !== undefined) {
      given[key] = flags[key];
      sources.set(key, `--${flag}`);
    } else if (variable === 'PLACEMENT_PORT' && fromEnvironment?.includes('://')) {
      warnings.push(`PLACEMENT_PORT=${fromEnvironment} is ignored: it is a service link of Kubernetes, not a port`);
    } else if (fromEnvironment) {
      given[key] = fromEnvironment;
      sources.set(key, variable);
    }
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path: [key = ''], message }) => {
        // Even a malformed URL may contain a password.
        const value = secret.some((name) => name === key) ? '' : `=${JSON.stringify(given[key as keyof Settings])}`;
        return `${sources.get(key)}${value} ${message}`;
      }),
    );
  }
  refuseOpenNoauth(parsed.data);
  const { auth, tokensFile } = parsed.data;
  if (auth.includes('static') && tokensFile === null) {
    throw new SettingsError(['PLACEMENT_AUTH=static needs PLACEMENT_TOKENS_FILE, the file of its tokens']);
  }
  const faults = [...proxyFaults(parsed.data), ...(auth.includes('keystone') ? keystoneFaults(parsed.data) : [])];
  if (faults.length > 0) throw new SettingsError(faults);
  return {
    settings: parsed.data,
    warnings: [
      ...warnings,
      ...unknownVariables(
        environment,
        settingDescriptions.map(({ variable }) => variable),
      ),
    ],
  };
}

function secretOf(
  variable: string,
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): string | undefined {
  const path = environment[`${variable}_FILE`];
  if (!path) return environment[variable];
  if (environment[variable]) throw new SettingsError([`${variable} and ${variable}_FILE are both given: use one`]);
  try {
    return readFile(path).trim();
  } catch (error) {
    throw new SettingsError([
      `${variable}_FILE=${JSON.stringify(path)} cannot be read (${error instanceof Error ? error.message : error})`,
    ]);
  }
}

function refuseOpenNoauth({ auth, host }: Settings): void {
  if (auth.includes('noauth') && !isLoopback(host)) {
    throw new SettingsError([
      `PLACEMENT_HOST=${JSON.stringify(host)} is refused with PLACEMENT_AUTH=noauth, which lets anyone be the administrator: use 127.0.0.1, ::1 or localhost, or PLACEMENT_AUTH=keystone or static`,
    ]);
  }
}

/** The settings by variable, safe to log: passwords are masked. */
export function effectiveSettings(settings: Settings): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    settingDescriptions.map(({ key, variable }) => {
      const value = settings[key];
      if (secret.includes(key) && typeof value === 'string') return [variable, maskPassword(value)];
      if (key === 'databaseReplicaUrls') return [variable, settings[key].map(maskPassword).join(', ')];
      return [variable, typeof value === 'object' && value !== null ? value.map(textOfBound).join(', ') : value];
    }),
  );
}

/** A secret that is no URL is masked as a whole. */
function maskPassword(secret: string): string {
  if (!secret.includes('://')) return '***';
  return secret.replace(/^(\w+:\/\/[^/?#@:]*):.*@/, '$1:***@').replace(/([?&](?:ssl)?password=)[^&]*/gi, '$1***');
}

/** The settings as the lines of --help. */
export function settingsTable(): string {
  const cells = settingDescriptions.map(({ variable, flag, argument, fallback, meaning }) => ({
    names: `${variable}, --${flag} <${argument}>`,
    text: `${meaning} (default: ${fallback})`,
  }));
  const width = Math.max(...cells.map(({ names }) => names.length));
  return cells.map(({ names, text }) => `  ${names.padEnd(width)}  ${text}`).join('\n');
}
