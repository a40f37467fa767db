// All settings of the process, read from the environment and the flags, which main.ts passes in. Each setting is described in the file of its group (see
// setting.ts). Of files only those that hold secrets are read here; whatever else the settings refer to is neither opened nor checked.
import { readFileSync } from 'node:fs';
import { accessFaults, accessSettings } from './access.ts';
import { apiSettings } from './apis.ts';
import { bridgeSettings } from './bridge.ts';
import { budgetSettings, textOfBound } from './budgets.ts';
import { databaseSettings } from './database.ts';
import { keystoneFaults, keystoneSettings } from './keystone.ts';
import { listeningFaults, listeningSettings } from './listening.ts';
import { policySettings } from './policy.ts';
import { processSettings } from './processes.ts';
import type { Setting, ValuesOf } from './setting.ts';
import { unknownVariables } from './unknown-variables.ts';

/** The settings by the page of the documents that lists them, in the order of the help. */
const pages = {
  operations: { ...databaseSettings, ...listeningSettings, ...processSettings, ...apiSettings, ...bridgeSettings },
  access: { ...accessSettings, ...budgetSettings, ...policySettings, ...keystoneSettings },
};
const all = { ...pages.operations, ...pages.access };

export type Settings = ValuesOf<typeof all>;
type Key = keyof Settings;
type Environment = Readonly<Record<string, string | undefined>>;

/** One setting as users see it. */
export type SettingDescription = Setting<unknown> & { readonly key: Key };

function described(settings: Partial<typeof all>): readonly SettingDescription[] {
  return Object.entries(settings).map(([key, setting]) => ({ ...setting, key: key as Key }));
}

export const settingDescriptions = described(all);
export const settingsOfPages = { operations: described(pages.operations), access: described(pages.access) };

/** Invalid settings; the message names each of them, its value and what is allowed, in one line. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.name = 'SettingsError';
  }
}

/**
 * The settings from the environment and the flags (by key; flags win; an empty value counts as omitted), and warnings about variables that are
 * ignored. Throws SettingsError.
 */
export function readSettings(
  environment: Environment,
  flags: Readonly<Partial<Record<Key, string>>> = {},
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): { settings: Settings; warnings: string[] } {
  const warnings: string[] = [];
  const problems: string[] = [];
  const values: Partial<Record<Key, unknown>> = {};
  for (const { key, variable, flag, mayBeInFile, isSecret, read } of settingDescriptions) {
    let text = flags[key] ?? (mayBeInFile ? secretOf(variable, environment, readFile) : environment[variable]);
    if (text === '' && flags[key] === undefined) text = undefined;
    if (key === 'port' && flags.port === undefined && text?.includes('://')) {
      warnings.push(`PLACEMENT_PORT=${text} is ignored: it is a service link of Kubernetes, not a port`);
      text = undefined;
    }
    const { success, data, error } = read(text);
    if (success) values[key] = data;
    // Even a malformed URL may contain a password.
    const given = `${flags[key] === undefined ? variable : `--${flag}`}${isSecret ? '' : `=${JSON.stringify(text)}`}`;
    problems.push(...(error?.issues ?? []).map(({ message }) => `${given} ${message}`));
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const settings = values as Settings;
  const faults = [
    ...accessFaults(settings),
    ...listeningFaults(settings),
    ...(settings.auth.includes('keystone') ? keystoneFaults(settings) : []),
    ...(settings.auth.includes('keystone') || settings.keystoneLimitsEndpointId === null
      ? []
      : ['PLACEMENT_KEYSTONE_LIMITS_ENDPOINT_ID needs PLACEMENT_AUTH=keystone']),
  ];
  if (faults.length > 0) throw new SettingsError(faults);
  const known = settingDescriptions.map(({ variable }) => variable);
  return { settings, warnings: [...warnings, ...unknownVariables(environment, known)] };
}

function secretOf(variable: string, environment: Environment, readFile: (path: string) => string): string | undefined {
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

/** The settings by variable, safe to log: passwords are masked. */
export function effectiveSettings(settings: Settings): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    settingDescriptions.map(({ key, variable, isSecret }) => {
      const value = settings[key];
      const shown = (text: string) => (isSecret ? maskPassword(text) : text);
      if (typeof value === 'string') return [variable, shown(value)];
      if (typeof value !== 'object' || value === null) return [variable, value];
      return [variable, value.map((element) => (typeof element === 'string' ? shown(element) : textOfBound(element))).join(', ')];
    }),
  );
}

/** A secret that is not a URL is masked as a whole. */
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
