// The hints of a RequestSpec about where an instance should go, and the rules for hosts that follow from them. Other hints are for filters unknown here.
import { BlockList, isIP } from 'node:net';
import type { RootRule } from '../../domain/candidates/request.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { affinityIn, findUnitedRoots } from '../../operations/allocations/affinity.ts';
import { findHolders } from '../../operations/allocations/holdings.ts';
import { forestOf } from '../../operations/forest/forest.ts';
import { findRecordedValues } from '../../operations/records/records.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { nodeRecords } from '../compute-nodes/compute-nodes.ts';
import type { RequestWarning } from '../terms/request-warnings.ts';
import { sameServiceHost } from './server-groups.ts';

/** The values of each hint, by its name. */
type Given = Optional<Readonly<Record<string, readonly string[]>>>;

export interface SchedulerHints {
  /** Uuids of instances; null without the hint. As in Nova, other texts name no instance. */
  readonly sameHost: readonly string[] | null;
  readonly differentHost: readonly string[] | null;
  /** Whether a host has an address in the network of the hint; null without the hint. */
  readonly near: ((hostIp: string) => boolean) | null;
  readonly isRebuild: boolean;
  readonly warnings: readonly RequestWarning[];
}

/** Reads hints. Refuses INVALID_INPUT below `path`. */
export function readHints(given: Given, path: Path): SchedulerHints {
  const { same_host, different_host, build_near_host_ip, cidr, group: _, _nova_check_type, ...others } = given ?? {};
  const [address] = build_near_host_ip ?? [];
  return {
    sameHost: uuidsOf(same_host, [...path, 'same_host']),
    differentHost: uuidsOf(different_host, [...path, 'different_host']),
    near: address ? networkOf(address, cidr?.[0] ?? '/24', path) : null,
    isRebuild: _nova_check_type?.includes('rebuild') ?? false,
    warnings: Object.keys(others).map((hint) => ({
      code: 'REQUEST_SPEC_NOT_CHECKED',
      subject: 'scheduler_hints',
      message: `the hint ${hint} is not checked: it is for one of Nova’s filters`,
    })),
  };
}

function uuidsOf(texts: Optional<readonly string[]>, path: Path): string[] | null {
  if (!texts || texts.length === 0) return null;
  if (texts.length > limits.filterKeys) throw invalidInput(path, `must have at most ${limits.filterKeys} elements`);
  return texts.flatMap((text) => parseUuid(text) ?? []);
}

/** Whether another address of the same family is in the network of an address. `cidr`: the length of its prefix, such as /24. */
function networkOf(address: string, cidr: string, path: Path): (hostIp: string) => boolean {
  const family = isIP(address);
  if (family === 0) throw invalidInput([...path, 'build_near_host_ip'], 'must be an IP address');
  const [, digits] = /^\/(\d{1,3})$/.exec(cidr) ?? [];
  const prefix = Number(digits ?? Number.NaN);
  if (!(prefix <= (family === 4 ? 32 : 128))) throw invalidInput([...path, 'cidr'], 'must be the length of a prefix, such as /24');
  const network = new BlockList();
  const called = family === 4 ? 'ipv4' : 'ipv6';
  network.addSubnet(address, prefix, called);
  // A BlockList also maps IPv4 to IPv6.
  return (hostIp) => isIP(hostIp) === family && network.check(hostIp, called);
}

/** The rules of hints. At most two statements for instances, and one for addresses. */
export async function hintedHosts(scope: RequestScope, { sameHost, differentHost, near }: SchedulerHints): Promise<RootRule[]> {
  const rules: RootRule[] = [];
  if (sameHost || differentHost) {
    const named = [...new Set([...(sameHost ?? []), ...(differentHost ?? [])])];
    const [held, forest] = [await findHolders(scope, named), await forestOf(scope.db).current()];
    const united = await findUnitedRoots(scope, forest, sameServiceHost, held.values());
    const rootsOf = (uuids: readonly string[]) => {
      const holders = uuids.flatMap((uuid) => held.get(uuid) ?? []);
      return new Set(affinityIn(forest, { policy: 'ANY', perRoot: 1, united }, holders).present.keys());
    };
    if (sameHost) rules.push({ words: 'a host of the instances of the hint same_host', only: rootsOf(sameHost) });
    if (differentHost) rules.push({ words: 'no host of the instances of the hint different_host', except: rootsOf(differentHost) });
  }
  if (near) {
    const addresses = await findRecordedValues(scope, nodeRecords, ['hostIp']);
    const inNetwork = addresses.filter(({ value }) => near(value));
    rules.push({ words: 'in the network of the hint build_near_host_ip', only: new Set(inNetwork.map(({ uuid }) => uuid)) });
  }
  return rules;
}
