// What a write of one consumer that was passed on has made of it in the other Placement: the request says all of it, so nothing needs to be read back.
import type { FastifyRequest } from 'fastify';
import type { PassedRequest } from '../../bridge/passing.ts';
import { isOddKey } from '../../bridge/spellings.ts';
import { Refusal } from '../../domain/errors.ts';
import { findTextFault, maxNameLength } from '../../domain/text.ts';
import { type ConsumerBody, parseConsumer } from '../allocation-bodies.ts';
import { atVersion, has, negotiateVersion } from '../microversions.ts';
import { RestError } from '../rest-error.ts';
import { allocationsOfConsumer } from '../schemas/allocations.ts';
import { findFault } from '../validation.ts';
import { findPath } from './routes.ts';

type MadeConsumer = ReturnType<PassedRequest['made']>;

/** The consumer, if the request with this content is answered with 204; null if more than that is changed, or it depends on what was there before. */
export function madeBy(request: FastifyRequest, mount: string, content: unknown): MadeConsumer {
  try {
    return madeConsumer(request, mount, content);
  } catch (error) {
    if (error instanceof RestError || error instanceof Refusal) return null;
    throw error;
  }
}

function madeConsumer({ method, target, headers }: FastifyRequest, mount: string, content: unknown): MadeConsumer {
  const uuid = findPath(target.path.slice(mount.length))?.params.consumer_uuid;
  if (uuid === undefined || isOddKey(uuid)) return null;
  if (method === 'DELETE') return { uuid, expect: {}, generation: 0, allocations: [], raises: [] };
  const version = negotiateVersion(headers['openstack-api-version']);
  // Without a generation that the caller expects, writes of others may lie between.
  if (method !== 'PUT' || !has(version, 'consumerGenerations')) return null;
  const schema = atVersion(allocationsOfConsumer, version);
  if (schema === undefined || findFault(schema, content) !== null) return null;
  const body = content as ConsumerBody;
  const { hold, consumerType } = parseConsumer(uuid, body, version);
  const { consumer_generation: before = null, project_id: project = null, user_id: user = null } = body;
  // Other databases store texts that Postgres does not.
  if ([project, user].some((text) => text !== null && findTextFault(text, { maxLength: maxNameLength }) !== null)) return null;
  const allocations = (hold.allocations ?? []).flatMap(({ resourceProvider: provider, resources }) =>
    resources.map(({ resourceClass, amount }) => ({ provider, resourceClass, amount })),
  );
  const raises = [...new Set(allocations.map(({ provider }) => provider))];
  // Of several providers upstream may have raised some twice, if another write came between.
  if (raises.length !== 1) return null;
  return {
    ...{ uuid, project, user, allocations },
    expect: before === null ? { isNew: true } : { generation: before },
    generation: (before ?? 0) + 1,
    ...(consumerType == null ? { keepType: true } : { type: consumerType }),
    raises,
  };
}
