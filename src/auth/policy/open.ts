// The rules of a running process: read at startup, and again when their files change. Unusable files change nothing: the rules read before stay in effect, and
// the log and /readyz say so.
import { nearestTo } from '../../domain/nearest.ts';
import type { PolicySettings } from '../../settings/policy.ts';
import type { AuthenticationLog } from '../callers/method.ts';
import { keepLooking } from '../lookout.ts';
import { type Check, parseRule } from './check.ts';
import { type EffectiveRules, effectiveRules, type Override, PolicyFault } from './effective.ts';
import { type Policy, policyOf } from './policy.ts';
import { maxFaultsTold, readPolicyFiles, stampOfPlaces } from './policy-file.ts';
import type { RuleDefault } from './rule-default.ts';
import { defaultRules } from './rules.ts';

/** Rules at work. */
export interface OpenPolicy {
  readonly policy: Policy;
  /** Why changed files are not in effect; null while they are. Reveals nothing of their contents. */
  fault(): string | null;
  close(): void;
}

/** Reads the rules. Throws PolicyFault. */
export async function readPolicy(settings: PolicySettings): Promise<EffectiveRules> {
  const defaults = defaultRules(settings.policyRules);
  const overrides = await readPolicyFiles(placesOf(settings));
  const effective = effectiveRules(defaults, overrides, { enforcesNewDefaults: settings.policyEnforceNewDefaults });
  const unknown = unknownNames(defaults, overrides);
  if (settings.policyUnknownRules === 'refuse' && unknown.length > 0) throw new PolicyFault(unknown.slice(0, maxFaultsTold).join('; '));
  return { ...effective, warnings: [...unknown, ...effective.warnings] };
}

/** Reads the rules and keeps them up to date until closed. Throws PolicyFault. */
export async function openPolicy(settings: PolicySettings, log: AuthenticationLog): Promise<OpenPolicy> {
  const places = placesOf(settings);
  const stamp = await stampOfPlaces(places);
  let effective = await readPolicy(settings);
  let fault: string | null = null;
  const warn = () => {
    for (const warning of effective.warnings) log.warn(warning);
  };
  warn();

  const readAgain = async () => {
    try {
      effective = await readPolicy(settings);
      fault = null;
      log.info('the rules of access were read again');
      warn();
    } catch (error) {
      fault = 'the files of rules have changed but cannot be used: the rules read before stay in effect, and the log says why';
      log.error(`${(error as Error).message}; the rules read before stay in effect`);
    }
    return undefined;
  };
  const hasFiles = places.file !== null || places.directories.length > 0;
  const close = hasFiles ? keepLooking(() => stampOfPlaces(places), stamp, readAgain) : () => {};
  const policy = policyOf(() => effective, { enforcesScope: settings.policyEnforceScope });
  return { policy, fault: () => fault, close };
}

function placesOf({ policyFile, policyDirectories }: PolicySettings) {
  return { file: policyFile, directories: policyDirectories };
}

/** The prefix of the rules that decide about requests. */
const prefix = 'placement:';

/** Warnings about rules of files that nothing uses, and about those that only look like rules of requests. */
function unknownNames(defaults: ReadonlyMap<string, RuleDefault>, overrides: ReadonlyMap<string, Override>): string[] {
  const known = new Set(['default', ...defaults.keys(), ...[...defaults.values()].flatMap(({ older }) => older?.name ?? [])]);
  const referredTo = new Set([...overrides.values()].flatMap(({ source }) => referencesOf(parseRule(source).check)));
  return [...overrides].flatMap(([name, { at }]) => {
    if (known.has(name) || (referredTo.has(name) && !name.startsWith(prefix))) return [];
    const effect = referredTo.has(name)
      ? 'so it counts only where other rules refer to it'
      : 'and no other rule refers to it, so it has no effect';
    const nearest = nearestTo(name, defaults.keys());
    return [`${at}: there is no rule ${name}, ${effect}${nearest === null ? '' : `; did you mean ${nearest}?`}`];
  });
}

function referencesOf(check: Check): readonly string[] {
  if (check.kind === 'match') return check.left === 'rule' ? [check.right] : [];
  if (check.kind === 'not') return referencesOf(check.of);
  return 'of' in check ? check.of.flatMap(referencesOf) : [];
}
