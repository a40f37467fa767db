// The processors that a flavor takes from a host: shared ones are VCPU, dedicated ones PCPU. Policies come from the flavor and the image, and the flavor may
// name amounts itself. Contradictions are refused.
import { limits } from '../../domain/limits.ts';
import type { CpuPolicy, ThreadPolicy } from '../numa/numa-cells.ts';
import { badFlavor, flavorValue, imageValue, isYes, type Properties } from '../terms/properties.ts';

export interface ProcessorDemand {
  /** VCPU; null if the policy does not decide it. */
  readonly shared: number | null;
  /** PCPU, including the one for the emulator threads; null if the policy does not decide it. */
  readonly dedicated: number | null;
  /** Whether a host with hyperthreading is required or forbidden; null if it does not matter. */
  readonly hyperthreading: 'required' | 'forbidden' | null;
  /** Whether all are dedicated by policy. Hosts that do not report PCPU yet can offer only VCPU instead. */
  readonly isPinned: boolean;
  /** The policy, given as such or implied by amounts; null if neither is given. */
  readonly policy: CpuPolicy | null;
  /** The policy for threads, given as such or implied by the trait of hyperthreading. */
  readonly threads: ThreadPolicy | null;
  readonly isolatesEmulator: boolean;
  /** Whether a processor of the guest, by its number, is dedicated. */
  readonly isDedicated: (processor: number) => boolean;
}

const policies = ['dedicated', 'shared', 'mixed'] as const;
const threadPolicies = ['prefer', 'isolate', 'require'] as const;
const hyperthreading = 'HW_CPU_HYPERTHREADING';
const emulatorPolicies = ['share', 'isolate'] as const;

/** The maximum number of processors and of parts in a mask, because masks are expanded in memory. */
const maxMaskedProcessors = limits.maskedProcessors;

/** Refuses INVALID_INPUT for contradictory policies and amounts, and for masks that are malformed or do not leave processors of each kind. */
export function processorsOf(vcpus: number, properties: Properties): ProcessorDemand {
  const policy = policyOf(properties);
  const threads = threadPolicyOf(properties);
  const emulator = wordOf('hw:emulator_threads_policy', flavorValue(properties, 'hw:emulator_threads_policy'), emulatorPolicies);
  const realTime = realTimeOf(vcpus, properties, emulator !== undefined);
  const masked = dedicatedOf(vcpus, properties);
  const isolatesEmulator = emulator === 'isolate';
  const actual = checkAmounts(vcpus, properties, policy, isolatesEmulator);
  checkThreads(properties, threads);
  const isAnyDedicated = actual === 'dedicated' || actual === 'mixed';
  if (!isAnyDedicated) {
    if (threads ?? threadsByTrait(properties)) {
      const subject = threads ? 'hw:cpu_thread_policy' : `the trait ${hyperthreading}`;
      throw badFlavor(`${subject} is for dedicated processors: it needs hw:cpu_policy dedicated or mixed`);
    }
    if (isolatesEmulator) throw badFlavor('hw:emulator_threads_policy isolate needs hw:cpu_policy dedicated or mixed');
    if (realTime) throw badFlavor('hw:cpu_realtime needs hw:cpu_policy dedicated or mixed');
  }
  if (masked && actual !== 'mixed') throw badFlavor('hw:cpu_dedicated_mask needs hw:cpu_policy mixed');
  if (policy === 'mixed' && !masked === !realTime)
    throw badFlavor('mixed processors need either hw:cpu_dedicated_mask or hw:cpu_realtime with hw:cpu_realtime_mask');
  const mixed = masked ?? realTime;
  const dedicated = policy === 'mixed' ? (mixed?.size ?? vcpus) : policy === 'dedicated' ? vcpus : null;
  return {
    shared: policy === 'mixed' ? vcpus - (dedicated ?? 0) : null,
    dedicated: dedicated === null ? null : dedicated + (isolatesEmulator ? 1 : 0),
    hyperthreading: threads === 'require' ? 'required' : threads === 'isolate' ? 'forbidden' : null,
    isPinned: policy === 'dedicated',
    policy: actual ?? null,
    threads: threads ?? threadsByTrait(properties),
    isolatesEmulator,
    isDedicated: (processor) => actual === 'dedicated' || (actual === 'mixed' && Boolean(mixed?.has(processor))),
  };
}

function policyOf(properties: Properties): (typeof policies)[number] | undefined {
  const name = 'hw:cpu_policy';
  const flavor = wordOf(name, flavorValue(properties, name), policies);
  const image = wordOf(name, imageValue(properties, name), policies);
  if (flavor === undefined || flavor === 'dedicated' || image === undefined || image === 'shared' || image === flavor)
    return flavor ?? image;
  throw badFlavor(`the flavor has ${name} ${flavor}, which forbids ${image} of the image`);
}

function threadPolicyOf(properties: Properties): (typeof threadPolicies)[number] | undefined {
  const name = 'hw:cpu_thread_policy';
  const flavor = wordOf(name, flavorValue(properties, name), threadPolicies);
  const image = wordOf(name, imageValue(properties, name), threadPolicies);
  if (flavor === undefined || flavor === 'prefer') return flavor ?? image;
  if (image === undefined || image === flavor) return flavor;
  throw badFlavor(`the flavor has ${name} ${flavor}, which forbids ${image} of the image`);
}

/** The word; undefined if the text is missing or empty. */
function wordOf<Word extends string>(name: string, text: string | undefined, words: readonly Word[]): Word | undefined {
  const word = words.find((each) => each === text);
  if (text && word === undefined) throw badFlavor(`${name} must be one of ${words.join(', ')}, is ${text}`);
  return word;
}

/**
 * The policy that results if the flavor names amounts of processors itself. Amounts in all groups are added, so that no processor is requested twice.
 */
function checkAmounts(vcpus: number, properties: Properties, policy: ReturnType<typeof policyOf>, isolatesEmulator: boolean) {
  const [shared, dedicated] = [amountIn(properties, 'VCPU'), amountIn(properties, 'PCPU')];
  if (policy && shared + dedicated > 0) throw badFlavor('hw:cpu_policy and resources:VCPU or resources:PCPU exclude each other');
  if (shared > 0 && dedicated > 0)
    throw badFlavor('resources:VCPU and resources:PCPU exclude each other: mixed processors need hw:cpu_policy');
  const needed = vcpus + (isolatesEmulator ? 1 : 0);
  if (dedicated > 0 && dedicated !== needed) {
    const words = isolatesEmulator ? 'with one more for the emulator threads' : 'exactly';
    throw badFlavor(`resources:PCPU must be the processors of the flavor ${words}, ${needed}, is ${dedicated}`);
  }
  if (dedicated > 0) return 'dedicated';
  return shared > 0 ? 'shared' : policy;
}

function amountIn({ flavor }: Properties, resourceClass: string): number {
  const amounts = Object.entries(flavor).flatMap(([key, value]) => {
    const isAsked = /^resources([a-zA-Z0-9_-]{1,64})?:/.test(key) && key.slice(key.indexOf(':') + 1) === resourceClass;
    return isAsked && /^\s*\d+\s*$/.test(value) ? Number(value) : [];
  });
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function threadsByTrait({ flavor, image }: Properties): ThreadPolicy | null {
  const [, value] = Object.entries(flavor).find(([key]) => /^trait[^:]*:/.test(key) && key.endsWith(`:${hyperthreading}`)) ?? [];
  if (value === 'forbidden') return 'isolate';
  return value === 'required' || (value === undefined && image[`trait:${hyperthreading}`] === 'required') ? 'require' : null;
}

function checkThreads({ flavor, image }: Properties, threads: string | undefined): void {
  if (!threads) return;
  const isInFlavor = Object.keys(flavor).some((key) => key.startsWith('trait') && key.endsWith(`:${hyperthreading}`));
  if (isInFlavor || Object.hasOwn(image, `trait:${hyperthreading}`))
    throw badFlavor(`hw:cpu_thread_policy and trait:${hyperthreading} exclude each other`);
}

/** Processors of a guest, by number. */
type Processors = Pick<ReadonlySet<number>, 'size' | 'has'>;

/** The real-time processors; null if there are none. The mask of the image takes precedence over that of the flavor: the image knows its needs better. */
function realTimeOf(vcpus: number, properties: Properties, isEmulatorPlaced: boolean): Processors | null {
  const name = 'hw:cpu_realtime_mask';
  if (!isYes(flavorValue(properties, 'hw:cpu_realtime'))) return null;
  const mask = imageValue(properties, name) || flavorValue(properties, name);
  const chosen = mask ? readMask(mask, vcpus) : { size: vcpus, has: () => true };
  const { size } = chosen;
  if (size === 0 || (size === vcpus && !isEmulatorPlaced)) {
    throw badFlavor(`${name} must name some processors and leave some, unless hw:emulator_threads_policy says where the emulator runs`);
  }
  return chosen;
}

/** The processors that the flavor dedicates by mask; null without a mask. */
function dedicatedOf(vcpus: number, properties: Properties): Processors | null {
  const mask = flavorValue(properties, 'hw:cpu_dedicated_mask');
  if (!mask) return null;
  const chosen = readMask(mask, vcpus);
  if (chosen.size === 0 || chosen.size === vcpus) throw badFlavor(`the mask ${mask} must leave some of ${vcpus} processors of each kind`);
  return chosen;
}

/** `0-3,^1` is 0, 2 and 3; a mask that begins with an exclusion starts from all processors. Empty parts, and exclusions of no processor, have no effect. */
export function readMask(mask: string, vcpus: number): ReadonlySet<number> {
  const parts = mask.split(',');
  if (vcpus > maxMaskedProcessors || parts.length > maxMaskedProcessors)
    throw badFlavor(`a mask is for at most ${maxMaskedProcessors} processors`);
  const chosen = new Set(mask.trimStart().startsWith('^') ? Array.from({ length: vcpus }, (_, processor) => processor) : []);
  const exceptions = new Set<number>();
  for (const part of parts.filter((each) => each.trim() !== '')) {
    const match = /^\s*(\^?)\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part);
    const isException = match?.[1] === '^';
    const first = Number(match?.[2]);
    const last = Number(match?.[3] ?? match?.[2]);
    if (match === null || first > last || (!isException && last >= vcpus))
      throw badFlavor(`${part} of the mask ${mask} is not among the processors 0 to ${vcpus - 1}`);
    for (let processor = first; processor <= Math.min(last, vcpus - 1); processor += 1) (isException ? exceptions : chosen).add(processor);
  }
  return new Set([...chosen].filter((processor) => !exceptions.has(processor)));
}
