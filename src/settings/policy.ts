// The settings of the rules of access: the files that replace rules, and which default rules apply.
import { setting, type ValuesOf } from './setting.ts';
import { list, oneOf, onOrOff, optionalText } from './values.ts';

export const policySettings = {
  policyFile: setting({
    variable: 'PLACEMENT_POLICY_FILE',
    argument: 'path',
    ...optionalText,
    meaning: 'rules that replace the defaults, in the form of oslo.policy (policy.yaml)',
  }),
  policyDirectories: setting({
    variable: 'PLACEMENT_POLICY_DIRS',
    argument: 'list',
    form: list.transform((names) => names.filter((name) => name !== '')),
    absent: [],
    fallback: 'none',
    meaning: 'directories with more such files, separated by commas; later files override earlier ones',
  }),
  policyRules: setting({
    variable: 'PLACEMENT_POLICY_RULES',
    argument: 'name',
    form: oneOf(['current', 'system-scoped']),
    fallback: 'current',
    meaning: 'which default rules of upstream apply: current, or system-scoped, those of 5.0.0 to 8.0.0',
  }),
  policyEnforceNewDefaults: setting({
    variable: 'PLACEMENT_POLICY_ENFORCE_NEW_DEFAULTS',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'on',
    meaning: 'whether only these defaults apply; off: also the older role:admin',
  }),
  policyEnforceScope: setting({
    variable: 'PLACEMENT_POLICY_ENFORCE_SCOPE',
    argument: 'on|off',
    form: onOrOff,
    fallback: 'on',
    meaning: 'whether a token is denied if its scope is not one that the rule is for',
  }),
  policyUnknownRules: setting({
    variable: 'PLACEMENT_POLICY_UNKNOWN_RULES',
    argument: 'warn|refuse',
    form: oneOf(['warn', 'refuse']),
    fallback: 'warn',
    meaning: 'what happens if a file has a rule that no request uses, such as a misspelt one',
  }),
};

export type PolicySettings = ValuesOf<typeof policySettings>;
