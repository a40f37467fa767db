// Reads that another Placement has answered, so that this ledger can be asked the same. Answered for the bridge alone, which may read everything.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { FastifyRequest } from 'fastify';
import type { Read } from '../../bridge/answers.ts';
import { Refusal } from '../../domain/errors.ts';
import { asShortWork } from '../../operations/request/event-loop-share.ts';
import { type RequestScope, Scope } from '../../operations/scope/scope.ts';
import type { Answer, Call } from '../call.ts';
import { atVersion, negotiateVersion } from '../microversions.ts';
import { Query } from '../query.ts';
import { RestError } from '../rest-error.ts';
import { findFault } from '../validation.ts';
import { routeAt } from './admission.ts';
import { findPath } from './routes.ts';

/** Not compared: the root, which is about the service, and lists of names, of which standard ones may differ. */
const isAboutNames = (path: string) => path === '' || path === '/traits' || path === '/resource_classes';

type Own = Pick<Call, 'mount' | 'searchSettings'> & Pick<RequestScope, 'db'>;

/** The read of a GET; null if it is not to be compared, also because the answer is long, or the request is none of this API. */
export function readOf(request: FastifyRequest, options: Own): Read | null {
  try {
    return comparableRead(request, options);
  } catch (error) {
    if (error instanceof RestError || error instanceof Refusal) return null;
    throw error;
  }
}

function comparableRead(request: FastifyRequest, { mount, db, searchSettings }: Own): Read | null {
  const { path, search } = request.target;
  const below = path.slice(mount.length);
  const found = findPath(below);
  if (!found) return null;
  const version = negotiateVersion(request.headers['openstack-api-version']);
  const route = routeAt(found.routes, 'GET', version);
  if (isAboutNames(route.path)) return null;
  const callOf = (): Call => {
    const scope = new Scope({ db, identity: null, requestId: `req-${randomUUID()}` });
    return { scope, version, params: found.params, query: new Query(search), body: undefined, searchSettings, mount };
  };
  if (route.isHeavy?.(callOf())) return null;
  return {
    ...{ route: route.path, path: encodeURI(below), query: search, version: `1.${version}` },
    most: searchSettings.maxCandidates ?? Number.POSITIVE_INFINITY,
    answerHere: async () => {
      const call = callOf();
      const schema = route.query && atVersion(route.query, version);
      const fault = schema && findFault(schema, call.query.asObject());
      if (fault) return { refused: fault };
      try {
        return await parsed(await asShortWork(() => route.handle(call)));
      } catch (error) {
        if (error instanceof RestError) return error.status === 404 ? null : { refused: error.message };
        if (error instanceof Refusal) return error.problems[0]?.code === 'NOT_FOUND' ? null : { refused: error.message };
        throw error;
      }
    },
  };
}

async function parsed({ body }: Answer): Promise<unknown> {
  if (body instanceof Uint8Array) return JSON.parse(Buffer.from(body).toString());
  if (typeof body === 'string') return JSON.parse(body);
  if (body === undefined || !(Symbol.asyncIterator in body)) return body;
  return json(Readable.from(body));
}
