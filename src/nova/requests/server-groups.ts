// Server groups: instances that must, or preferably should, be on one host or on different ones. Nova keeps the groups; a request names the group of its
// instances and the other members. The hosts of members are read from their allocations.
import { invalidInput } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { AffinityGroup } from '../../operations/allocations/affinity.ts';
import { InputCheck } from '../../operations/request/input.ts';
import { decodeText, type NovaObject } from '../objects/codec.ts';
import type { Given } from '../objects/given.ts';
import { computeNodeKind } from '../services/compute-program.ts';

export type GroupPolicy = 'AFFINITY' | 'ANTI_AFFINITY' | 'SOFT_AFFINITY' | 'SOFT_ANTI_AFFINITY';

export interface ServerGroupFields {
  readonly uuid: string;
  readonly policy: GroupPolicy;
  /** Uuids of instances; the instances to place need not be among them. */
  readonly members: readonly string[];
  /** With ANTI_AFFINITY; 1 if omitted. */
  readonly maxServersPerHost?: Optional<number>;
}

export interface ServerGroup {
  readonly policy: GroupPolicy;
  readonly affinity: AffinityGroup;
}

const maxMembers = limits.groupMembers;

/** As in Nova, members are on service hosts, some of which have several nodes. */
export const sameServiceHost = { kind: computeNodeKind, fact: 'host' };

const rules = { AFFINITY: 'TOGETHER', ANTI_AFFINITY: 'APART', SOFT_AFFINITY: 'ANY', SOFT_ANTI_AFFINITY: 'ANY' } as const;
const policies: Readonly<Record<string, GroupPolicy>> = {
  affinity: 'AFFINITY',
  'anti-affinity': 'ANTI_AFFINITY',
  'soft-affinity': 'SOFT_AFFINITY',
  'soft-anti-affinity': 'SOFT_ANTI_AFFINITY',
};

/** The group of a request. Refuses INVALID_INPUT below `path`. */
export function parseServerGroup(given: Given<ServerGroupFields>, path: Path): ServerGroup | null {
  if (given.object !== undefined) {
    const here = [...path, 'object'];
    return groupFromObject(decodeText('InstanceGroup', given.object, here), here);
  }
  const { uuid, policy, members, maxServersPerHost } = given.fields;
  return groupOf({ key: uuid, policy, members, perHost: maxServersPerHost ?? 1 }, [...path, 'fields'], ['maxServersPerHost']);
}

/** The group in Nova's InstanceGroup object; null if it has no policy. Refuses INVALID_INPUT below `path`. */
export function groupFromObject({ fields }: NovaObject<'InstanceGroup'>, path: Path): ServerGroup | null {
  const here = [...path, 'nova_object.data'];
  const called = fields.policy ?? fields.policies?.[0] ?? null;
  if (called === null) return null;
  const policy = Object.hasOwn(policies, called) ? policies[called] : undefined;
  if (!policy) throw invalidInput([...here, 'policy'], `must be one of ${Object.keys(policies).join(', ')}`);
  const members = (fields.members ?? []).map((member, index) => {
    const uuid = parseUuid(member);
    if (uuid === null) throw invalidInput([...here, 'members', index], 'must be a uuid');
    return uuid;
  });
  const limit = fields._rules?.max_server_per_host;
  // Very old requests lack the uuid of their group; then one of its members identifies it.
  return groupOf({ key: fields.uuid ?? members.toSorted()[0] ?? '', policy, members, perHost: Number(limit ?? 1) }, here, [
    '_rules',
    'max_server_per_host',
  ]);
}

interface ReadGroup {
  readonly key: string;
  readonly policy: GroupPolicy;
  readonly members: readonly string[];
  readonly perHost: number;
}

/** `limitPath`: the path of the limit below `path`. */
function groupOf({ key, policy, members, perHost }: ReadGroup, path: Path, limitPath: Path): ServerGroup {
  const check = new InputCheck();
  check.size([...path, 'members'], members, 0, maxMembers);
  if (!Number.isInteger(perHost) || perHost < 1) check.add([...path, ...limitPath], 'must be a whole number of at least 1');
  check.done();
  return { policy, affinity: { key, members: [...new Set(members)], policy: rules[policy], perRoot: perHost, unitedBy: sameServiceHost } };
}
