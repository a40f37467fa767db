// The Placement REST API as part of the listener: takes a request to its route and handler, and their outcome to a response. The only place that catches
// errors. Knows nothing of providers, consumers and other nouns.
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallerBudgets, OverBudget, type Visit } from '../../auth/budgets.ts';
import { globalRequestIdOf } from '../../auth/callers/headers.ts';
import { type Authentication, IdentityUnavailable } from '../../auth/callers/method.ts';
import type { Policy } from '../../auth/policy/policy.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { NotPassed, passedHeaders } from '../../bridge/passing.ts';
import { type Audit, outcomeOfStatus, type RecordAction } from '../../domain/audit.ts';
import { DiskFull, Following, OutcomeUnknown, Outdated, Overloaded, Refusal } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { prefixOf } from '../../http/client.ts';
import { answerCors } from '../../http/cors.ts';
import { positionHeader, positionIn } from '../../http/ledger-position.ts';
import { retryAfter } from '../../http/refusal.ts';
import type { RequestTarget } from '../../http/target.ts';
import { isOfCallerWhoLeft, whenAnswered } from '../../http/unread.ts';
import { Activity, type TellOperation } from '../../measures/activity.ts';
import { measures } from '../../measures/measures.ts';
import { asShortWork } from '../../operations/request/event-loop-share.ts';
import { isDatabaseFault } from '../../operations/request/faults.ts';
import { type HeavyWork, TooBusy } from '../../operations/request/heavy-work.ts';
import { parseInParts, smallBody, UnwieldyJson } from '../../operations/request/large-json.ts';
import { positionAfterWrite, type RequestScope, Scope } from '../../operations/scope/scope.ts';
import type { Answer, SearchSettings } from '../call.ts';
import { renderError } from '../error-bodies.ts';
import { errorOf } from '../errors.ts';
import { setAnswerHeaders, setVersionHeaders } from '../headers.ts';
import { negotiateVersion } from '../microversions.ts';
import { Query } from '../query.ts';
import { type ErrorStatus, RestError } from '../rest-error.ts';
import { findFault, findFaultInParts, type Schema } from '../validation.ts';
import { admit, type Progress, usualCost } from './admission.ts';
import { madeBy } from './made-consumers.ts';
import { readOf } from './own-answers.ts';

export interface RestOptions {
  /** The part before the API's own paths: the prefix of the registration, or empty. */
  readonly mount: string;
  readonly db: RequestScope['db'];
  readonly authentication: Authentication;
  readonly policy: Policy;
  /** The audit log; null if there is none. */
  readonly audit: Audit | null;
  readonly budgets: CallerBudgets;
  readonly searchSettings: SearchSettings;
  /** Whether claims obey the quotas of projects. */
  readonly restQuotas: boolean;
  readonly heavyWork: HeavyWork;
  /** Counts a large body that has arrived; returns an error if there is no room for it. */
  readonly countBody: (request: FastifyRequest, body: Buffer) => Error | null;
  /** Origins whose scripts may call. If there are none, CORS is off. */
  readonly corsOrigins: readonly string[];
  readonly tellOperation: TellOperation;
  /** The message with which new requests are refused; null while they are accepted. */
  readonly whyRefused: () => string | null;
  /** The bridge to another Placement; null without one. */
  readonly bridge: () => Pick<Bridge, 'pass' | 'isPassing' | 'offerRead'> | null;
}

const progressName = 'placementProgress';
const newProgress = ({ headers }: FastifyRequest): Progress => ({
  activity: new Activity('rest', headers),
  version: null,
  identity: null,
  visit: null,
  rule: null,
  admitted: null,
  isAudited: false,
  isPassed: false,
  contentType: undefined,
  body: undefined,
});

/** The progress of a request; a new one for a request that was refused before it began. */
const progressOf = (request: FastifyRequest): Progress => request.getDecorator<Progress | null>(progressName) ?? newProgress(request);

/** Serves the API under the prefix of the registration, including unknown paths below it. */
export function rest(app: FastifyInstance, options: RestOptions, done: () => void): void {
  app.decorateRequest(progressName, null);
  // The route checks the content type, and only if there is a route.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => done(options.countBody(request, body), body));
  app.addHook('onRequest', async (request, reply) => {
    const progress = newProgress(request);
    request.setDecorator(progressName, progress);
    if (answerCors(request, reply, options.corsOrigins)) return reply.code(200).send();
    const refusal = options.whyRefused();
    if (refusal !== null) {
      progress.version = negotiateVersion(request.headers['openstack-api-version']);
      setVersionHeaders(reply, progress.version);
      reply.header('connection', 'close');
      throw new RestError(503, refusal);
    }
    // While another Placement leads, that one decides who may do what.
    if (!options.bridge()?.isPassing) await admit(request, reply, progress, options);
    // The content type of an absent body is irrelevant: the framework would refuse one that it cannot parse.
    progress.contentType = request.headers['content-type'];
    if (!hasBody(request)) delete request.headers['content-type'];
  });
  app.addHook('onResponse', (request, reply, done) => {
    tellEnd(options.tellOperation, request, reply);
    done();
  });
  // Refused writes also get a position, because the reason may be a write of another caller.
  app.addHook('onSend', async (request, reply) => {
    const { admitted } = progressOf(request);
    const position = admitted && admitted.route.method !== 'GET' ? await positionAfterWrite(options) : null;
    if (position !== null) reply.header(positionHeader, position);
  });
  app.setErrorHandler<FastifyError>(async (error: FastifyError | OverBudget, request, reply) => {
    if (error instanceof OverBudget) await setTimeout(error.hold);
    return answerError(app, options, error, request, reply);
  });
  // Methods that the framework does not route; requests with one are never admitted.
  app.setNotFoundHandler(() => Promise.reject(new RestError(404, '')));
  const handler = (request: FastifyRequest, reply: FastifyReply) => answerOrPass(request, reply, options);
  app.all('/', handler);
  app.all('/*', handler);
  done();
}

function hasBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

type Payload = FastifyReply | Readable | Uint8Array;

/** Passes a request on while another Placement leads, and responds to it while this ledger does. */
async function answerOrPass(request: FastifyRequest, reply: FastifyReply, options: RestOptions): Promise<Payload> {
  const bridge = options.bridge();
  if (bridge === null) return answer(request, reply, options);
  const progress = progressOf(request);
  if (progress.contentType !== undefined) request.headers['content-type'] = progress.contentType;
  const pass = async () => {
    const { path, search } = request.target;
    const below = encodeURI(path.slice(options.mount.length)) || '/';
    const passed = await bridge.pass({
      method: request.method,
      path: search === '' ? below : `${below}?${search}`,
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : null,
      content: () => contentOf(request.body),
      made: (content) => madeBy(request, options.mount, content),
      whenLeft: (callback) => whenAnswered(reply, () => reply.raw.writableFinished || callback()),
    });
    if (passed === null) return null;
    progress.isPassed = true;
    if (request.method === 'GET' && passed.statusCode === 200) bridge.offerRead(() => readOf(request, options));
    return reply
      .code(passed.statusCode ?? 502)
      .headers(passedHeaders(passed.headers))
      .send(passed);
  };
  const passed = await pass();
  if (passed !== null) return passed;
  if (progress.admitted === null) await admit(request, reply, progress, options);
  try {
    return await answer(request, reply, options);
  } catch (error) {
    // The other side leads again: the write has waited for that, and was not done here.
    const answered = error instanceof Following ? await pass() : null;
    if (answered === null) throw error;
    return answered;
  }
}

/** The content of a body that this gateway does not judge; undefined if there is none or it is malformed. A large body is read in parts. */
async function contentOf(body: unknown): Promise<unknown> {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  const text = body.toString();
  try {
    if (body.length <= smallBody) return JSON.parse(text);
    return await parseInParts(text).catch((error: unknown) => {
      // The other side may carry out what this one would not read, and it must be known what that touches.
      if (error instanceof UnwieldyJson) return JSON.parse(text);
      throw error;
    });
  } catch {
    return undefined;
  }
}

/** Responds to a request that was admitted. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { mount, db, policy, searchSettings, restQuotas, heavyWork, audit }: RestOptions,
): Promise<Payload> {
  const progress = progressOf(request);
  const { admitted, identity, visit } = progress;
  if (!admitted) throw new RestError(404, '');
  const { route, version, params, querySchema, bodySchema } = admitted;
  const globalRequestId = globalRequestIdOf(request.headers);
  const record = audit?.(request, identity, globalRequestId) ?? null;
  const recordAction: RecordAction | null =
    record &&
    ((action) => {
      progress.isAudited = true;
      record(action);
    });
  const scope = new Scope({
    db,
    identity,
    requestId: request.id,
    globalRequestId,
    audit: recordAction,
    owned: () => policy.ownedBy(identity),
    quotasOfRest: restQuotas,
    activity: progress.activity,
  });
  const query = new Query(admitted.search);
  const fault = querySchema && findFault(querySchema, query.asObject());
  if (fault) throw new RestError(400, `Invalid query string parameters: ${fault}`);
  if (bodySchema) {
    const parsed = await readBody(request.body, bodySchema);
    if ('fault' in parsed) {
      await route.requireSubject?.({ scope, params });
      throw new RestError(400, parsed.fault);
    }
    progress.body = parsed.value;
  }
  const call = { scope, version, params, query, body: progress.body, searchSettings, mount: `${prefixOf(request)}${mount}` };
  visit?.spend(route.cost ?? usualCost);
  if (route.method === 'GET') await scope.beginReading(positionIn(request.headers));
  const isHeavy = route.isHeavy?.(call) ?? false;
  if (isHeavy) scope.beginHeavyWork();
  const given = await (isHeavy ? heavyWork.run(scope.identity, () => route.handle(call)) : asShortWork(() => route.handle(call)));
  setAnswerHeaders(reply, request, given, call.mount, version);
  return payloadOf(reply, visit ? charged(given, visit) : given);
}

/** Charges the length of an answer to the caller's budget. */
function charged(answer: Answer, visit: Visit): Answer {
  const { body } = answer;
  if (body === undefined) return answer;
  if (typeof body === 'object' && Symbol.asyncIterator in body) return { ...answer, body: chargedPieces(body, visit) };
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  visit.charge(Math.floor(text.length / limits.bytesOfObject));
  return { ...answer, body: text };
}

async function* chargedPieces(pieces: AsyncIterable<Uint8Array>, visit: Visit): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    visit.charge(piece.length / limits.bytesOfObject);
    yield piece;
  }
}

/** What a handler returns to be sent: to return the reply itself takes two listeners for each request, a hundredth of the time of a search. */
function payloadOf(reply: FastifyReply, { status, body }: Answer): Payload {
  reply.code(status ?? (body === undefined ? 204 : 200));
  if (body === undefined) return reply.send();
  reply.header('content-type', 'application/json');
  if (typeof body !== 'string' && Symbol.asyncIterator in body) return Readable.from(body);
  // The framework would add a charset to text, but JSON has none.
  return body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

type ParsedBody = { readonly value: unknown } | { readonly fault: string };

/** The parsed and validated body, or its fault. A large body is read in parts. */
async function readBody(body: unknown, schema: Schema): Promise<ParsedBody> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  // Decoding would silently replace invalid UTF-8, and so corrupt the caller's data.
  if (!isUtf8(bytes)) return { fault: 'Malformed JSON: the body is not in UTF-8' };
  const isLarge = bytes.length > smallBody;
  let value: unknown;
  try {
    value = isLarge ? await parseInParts(bytes.toString()) : JSON.parse(bytes.toString());
  } catch (error) {
    const { message } = error as Error;
    return { fault: error instanceof UnwieldyJson ? message : `Malformed JSON: ${message}` };
  }
  const fault = isLarge ? await findFaultInParts(schema, value) : findFault(schema, value);
  return fault === null ? { value } : { fault: `JSON does not validate: ${fault}` };
}

function answerError(
  app: FastifyInstance,
  { authentication, audit }: RestOptions,
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { version, ...progress } = progressOf(request);
  const known = knownError(error, progress);
  const code = codeOf(error, known);
  measures.refusals.add(1, 'rest', code);
  progress.activity.noteRefusal(code);
  if (!known && !isOfCallerWhoLeft(error, request)) app.log.error({ requestId: request.id, err: error }, 'a request failed on a bug');
  if (known && audit && !progress.isAudited) auditRefusal(audit, error, known, request, progress);
  const restError = known ?? new RestError(500, 'Internal error. The log of the server has details under this request id.');
  const { accept, 'content-type': type } = request.headers;
  const { contentType, body } = renderError(restError, {
    method: request.method,
    accept,
    contentType: type,
    version,
    requestId: request.id,
    unauthorizedBody: authentication.unauthorizedBody,
  });
  if (restError.allow !== undefined) reply.header('allow', restError.allow);
  if (restError.status === 401) reply.header('www-authenticate', authentication.challengesTo(request.headers));
  if (restError.status === 503) reply.header('retry-after', retryAfter);
  if (restError.retryAfter !== undefined) reply.header('retry-after', restError.retryAfter);
  return reply.code(restError.status).header('content-type', contentType).send(Buffer.from(body));
}

/** Statuses set by the framework or by checks that apply to the whole listener. */
const statusesOfListener: ReadonlySet<number> = new Set([400, 403, 404, 413, 415, 421, 429]);

/** The error to report to the caller; null for a bug. */
function knownError(error: FastifyError | Error, { admitted, body }: Pick<Progress, 'admitted' | 'body'>): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof Refusal && admitted) {
    const { route, params } = admitted;
    return errorOf(error, { route: `${route.method} ${route.path}`, params, body });
  }
  if (error instanceof OverBudget) return new RestError(429, error.message, { retryAfter: error.retryAfter });
  if (error instanceof IdentityUnavailable) return new RestError(503, error.message, { isBeforeService: true });
  const isExplained = [NotPassed, Following, OutcomeUnknown, TooBusy, Overloaded, Outdated, DiskFull].some((kind) => error instanceof kind);
  if (isExplained) return new RestError(503, error.message);
  if (isDatabaseFault(error)) return new RestError(503, 'The database is not available at the moment, or did not answer in time.');
  const { statusCode } = error as FastifyError;
  return statusesOfListener.has(statusCode ?? 0) ? new RestError(statusCode as ErrorStatus, error.message) : null;
}

function codeOf(error: Error, known: RestError | null): string {
  if (error instanceof Refusal) return error.problems[0]?.code ?? 'INVALID_INPUT';
  return known ? String(known.status) : 'INTERNAL_SERVER_ERROR';
}

/** Records refusals that occurred before the request reached the database; these can be refusals of writes by an operation. */
function auditRefusal(
  audit: Audit,
  error: Error,
  { status }: RestError,
  request: FastifyRequest,
  { identity, rule }: Pick<Progress, 'identity' | 'rule'>,
): void {
  if (error instanceof OutcomeUnknown || isDatabaseFault(error)) return;
  const record = audit(request, identity, globalRequestIdOf(request.headers));
  if (error instanceof Refusal) {
    const [problem] = error.problems;
    if (request.method !== 'GET') record({ outcome: 'refused', action: null, status, ...(problem && { code: problem.code }) });
    return;
  }
  const outcome = outcomeOfStatus(status);
  if (outcome !== null) record({ outcome, action: outcome === 'forbidden' ? rule : null, status });
}

function tellEnd(tell: TellOperation, request: FastifyRequest, reply: FastifyReply): void {
  const { activity, admitted, version, identity, isPassed } = progressOf(request);
  tell(activity, {
    operation: isPassed ? `${request.method} passed on` : admitted ? `${admitted.route.method} ${admitted.route.path || '/'}` : 'none',
    requestId: request.id,
    globalRequestId: globalRequestIdOf(request.headers),
    caller: identity,
    details: {
      method: request.method,
      path: withoutSecrets(request.target),
      status: reply.statusCode,
      microversion: version === null ? null : `1.${version}`,
    },
  });
}

/** The path and query for the log. The API has no secrets in queries, but callers can send some anyway. */
function withoutSecrets({ path, search }: RequestTarget): string {
  const shown = search === '' ? path : `${path}?${search}`;
  return shown.slice(0, 1000).replace(/([?&][^=&]*(?:token|password|secret)[^=&]*=)[^&]*/gi, '$1***');
}
