// The settings of the rules of access: their files, and whose defaults hold. Their rows and checks for settings/settings.ts.
import { z } from 'zod';
import type { PolicySettings } from '../auth/policy/open.ts';
import { upstreamReleases } from '../auth/policy/upstream-rules.ts';
import { namesIn, oneOf } from './values.ts';

type Row = readonly [key: keyof PolicySettings, variable: string, argument: string, fallback: string, meaning: string];

export const policyRows: readonly Row[] = [
  ['policyFile', 'PLACEMENT_POLICY_FILE', 'path', 'none', 'rules that replace defaults, in the form of oslo.policy (policy.yaml)'],
  ['policyDirectories', 'PLACEMENT_POLICY_DIRS', 'list', 'none', 'directories of more such files, with commas between; later ones win'],
  [
    'policyRules',
    'PLACEMENT_POLICY_RULES',
    'name',
    'current',
    'default rules of upstream: current, or system-scoped as from 5.0.0 to 8.0.0',
  ],
  [
    'policyEnforceNewDefaults',
    'PLACEMENT_POLICY_ENFORCE_NEW_DEFAULTS',
    'on|off',
    'on',
    'whether only these defaults hold; off: also the older role:admin',
  ],
  ['policyEnforceScope', 'PLACEMENT_POLICY_ENFORCE_SCOPE', 'on|off', 'on', 'whether a token of another scope than a rule is for is denied'],
  [
    'policyUnknownRules',
    'PLACEMENT_POLICY_UNKNOWN_RULES',
    'warn|refuse',
    'warn',
    'what becomes of files with names of rules that nothing asks, as misspelt ones are',
  ],
];

export const policyShape = {
  policyFile: z.string().nullable().default(null),
  policyDirectories: z
    .string()
    .transform((list) => namesIn(list).filter((name) => name !== ''))
    .default([]),
  policyRules: oneOf(upstreamReleases).default('current'),
  policyEnforceNewDefaults: z.stringbool({ error: 'must be on or off' }).default(true),
  policyEnforceScope: z.stringbool({ error: 'must be on or off' }).default(true),
  policyUnknownRules: oneOf(['warn', 'refuse']).default('warn'),
};
