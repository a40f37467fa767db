// The processors that a flavor takes from a host: shared ones are VCPU, dedicated ones PCPU. Policies come from the flavor and the image. A
// contradiction between the two is refused; a policy without effect causes a warning.

import { invalidInput, type Refusal } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { flavorOrImageValue, flavorValue, imageValue, isYes, type Properties } from './properties.ts';
import type { RequestWarning } from './request-warnings.ts';

export interface ProcessorDemand {
  /** VCPU. */
  readonly shared: number;
  /** PCPU, including the one for the emulator threads. */
  readonly dedicated: number;
  /** Whether a host with hyperthreading is required or forbidden; null when irrelevant. */
  readonly hyperthreading: 'required' | 'forbidden' | null;
  readonly warnings: readonly RequestWarning[];
}

const policies = ['shared', 'dedicated', 'mixed'] as const;
type Policy = (typeof policies)[number];

/** The maximum number of processors, and of parts, in a mask: it is expanded in memory. */
const maxMaskedProcessors = limits.maskedProcessors;

/** Refuses INVALID_INPUT for policies that contradict each other, and for masks that are malformed or do not leave processors of each kind. */
export function processorsOf(vcpus: number, properties: Properties): ProcessorDemand {
  const policy = policyOf(properties);
  const threads = threadPolicyOf(properties);
  const isolatesEmulator = flavorValue(properties, 'hw:emulator_threads_policy') === 'isolate';
  if (policy === 'shared') {
    const idle = [...(isolatesEmulator ? ['hw:emulator_threads_policy'] : []), ...(threads ? ['hw:cpu_thread_policy'] : [])];
    return {
      shared: vcpus,
      dedicated: 0,
      hyperthreading: null,
      warnings: idle.map((name) => ({
        code: 'POLICY_WITHOUT_EFFECT',
        message: `${name} has no effect without dedicated processors`,
        subject: name,
      })),
    };
  }
  const dedicated = policy === 'dedicated' ? vcpus : countDedicated(vcpus, properties);
  return {
    shared: vcpus - dedicated,
    dedicated: dedicated + (isolatesEmulator ? 1 : 0),
    hyperthreading: threads === 'require' ? 'required' : threads === 'isolate' ? 'forbidden' : null,
    warnings: [],
  };
}

function policyOf(properties: Properties): Policy {
  const name = 'hw:cpu_policy';
  const flavor = checkPolicy(name, flavorValue(properties, name));
  const image = checkPolicy(name, imageValue(properties, name));
  if (flavor === undefined && image === 'mixed') throw refusal('mixed processors need a mask, so only a flavor can ask for them');
  if (flavor === undefined || flavor === 'dedicated') return flavor ?? image ?? 'shared';
  if (image !== undefined && image !== 'shared' && image !== flavor)
    throw refusal(`the flavor has ${name} ${flavor}, which forbids ${image} of the image`);
  return flavor;
}

function checkPolicy(name: string, word: string | undefined): Policy | undefined {
  const policy = policies.find((each) => each === word);
  if (word !== undefined && policy === undefined) throw refusal(`${name} must be one of ${policies.join(', ')}, is ${word}`);
  return policy;
}

/** `prefer` needs no trait: hosts do that by default. */
function threadPolicyOf(properties: Properties): 'isolate' | 'require' | null {
  const name = 'hw:cpu_thread_policy';
  const [flavor = 'prefer', image = 'prefer'] = [flavorValue(properties, name), imageValue(properties, name)];
  const policy = flavor === 'prefer' ? image : flavor;
  if (image !== 'prefer' && image !== policy) throw refusal(`the flavor has ${name} ${flavor}, which forbids ${image} of the image`);
  if (policy === 'prefer') return null;
  if (policy !== 'isolate' && policy !== 'require') throw refusal(`${name} must be one of prefer, isolate, require, is ${policy}`);
  return policy;
}

/** The number of dedicated processors of a mixed flavor: those of the dedicated mask, else the real-time ones. */
function countDedicated(vcpus: number, properties: Properties): number {
  const dedicatedMask = flavorValue(properties, 'hw:cpu_dedicated_mask');
  const isRealTime = isYes(flavorValue(properties, 'hw:cpu_realtime'));
  const mask = dedicatedMask ?? (isRealTime ? flavorOrImageValue(properties, 'hw:cpu_realtime_mask') : undefined);
  if (mask === undefined) throw refusal('mixed processors need hw:cpu_dedicated_mask, or hw:cpu_realtime with hw:cpu_realtime_mask');
  const { size } = readMask(mask, vcpus);
  if (size === 0 || size === vcpus) throw refusal(`the mask ${mask} must leave some of ${vcpus} processors of each kind`);
  return size;
}

/** `0-3,^1` is 0, 2 and 3; a mask that starts with an exclusion starts from all processors. */
function readMask(mask: string, vcpus: number): ReadonlySet<number> {
  const parts = mask.split(',');
  if (vcpus > maxMaskedProcessors || parts.length > maxMaskedProcessors)
    throw refusal(`a mask is for at most ${maxMaskedProcessors} processors`);
  const chosen = new Set(mask.trimStart().startsWith('^') ? Array.from({ length: vcpus }, (_, processor) => processor) : []);
  const exceptions = new Set<number>();
  for (const part of parts) {
    const match = /^\s*(\^?)(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part);
    const first = Number(match?.[2]);
    const last = Number(match?.[3] ?? match?.[2]);
    if (match === null || first > last || last >= vcpus)
      throw refusal(`${part} of the mask ${mask} is not among the processors 0 to ${vcpus - 1}`);
    for (let processor = first; processor <= last; processor += 1) (match[1] ? exceptions : chosen).add(processor);
  }
  return new Set([...chosen].filter((processor) => !exceptions.has(processor)));
}

function refusal(message: string): Refusal {
  return invalidInput(['flavor'], message);
}
