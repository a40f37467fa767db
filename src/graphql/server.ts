// Assembles the GraphQL surface: Apollo with its limits, permissions, one log line for each operation.
// Knows no field of the schema. HTTP is in http.ts, execution in executor.ts.
import {
  ApolloServer,
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  type GraphQLRequestListener,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST, Kind } from 'graphql';
import type { Logger } from 'pino';
import type { Policy } from '../auth/policy/policy.ts';
import { outcomeOfStatus } from '../domain/audit.ts';
import { Unavailable } from '../domain/errors.ts';
import { positionHeader } from '../http/ledger-position.ts';
import type { TellOperation } from '../measures/activity.ts';
import { measures } from '../measures/measures.ts';
import { asShortWork } from '../operations/request/event-loop-share.ts';
import type { HeavyWork } from '../operations/request/heavy-work.ts';
import { positionAfterWrite } from '../operations/scope/scope.ts';
import { type Admit, chargeRest, createAdmission } from './admission.ts';
import { nameForLog, noteAsked } from './audited.ts';
import { storeDocuments } from './documents.ts';
import { answerErrors, badUserInput, formatError, isBug, isOutage, isOverload, publicError, requestError } from './errors.ts';
import { createExecutor, type Execution, type Executor } from './executor.ts';
import { renderInPieces, tooManyObjects } from './large-answers.ts';
import { limits, startsHeavy } from './limits.ts';
import { placeOfLiteral } from './literals.ts';
import { asHeavy, type OperationScope } from './operation-scope.ts';
import { createPermissions, type Permissions } from './permissions.ts';
import { storeQueries } from './stored-queries.ts';
import { placeInWords } from './subjects.ts';
import type { TrustedDocuments } from './trusted-documents.ts';
import { isAfterCommit } from './written-fields.ts';

export interface GraphqlOptions {
  readonly schema: GraphQLSchema;
  readonly executor: 'jit' | 'graphql-js';
  readonly introspection: boolean;
  readonly policy: Policy;
  /** The only documents for most callers; null: there is no such list. */
  readonly trustedDocuments: TrustedDocuments | null;
  readonly log: Logger;
  readonly heavyWork: HeavyWork;
  readonly tellOperation: TellOperation;
  /** Stops the listener when Apollo stops. */
  readonly drain: ApolloServerPlugin;
}

/** The Apollo server for a schema; the caller starts and stops it. */
export function createGraphqlServer({
  schema,
  executor,
  introspection,
  policy,
  trustedDocuments,
  log,
  heavyWork,
  tellOperation,
  drain,
}: GraphqlOptions): ApolloServer<OperationScope> {
  const permissions = createPermissions(schema, policy);
  return new ApolloServer<OperationScope>({
    schema,
    introspection,
    formatError,
    includeStacktraceInErrorResponses: false,
    // A page that CORS does not allow cannot send the token header either.
    csrfPrevention: { requestHeaders: ['x-auth-token', 'x-apollo-operation-name', 'apollo-require-preflight'] },
    allowBatchedHttpRequests: false,
    documentStore: storeDocuments(),
    persistedQueries: { cache: storeQueries(trustedDocuments ?? undefined) },
    parseOptions: { maxTokens: limits.tokens },
    maxRecursiveSelections: limits.selections,
    validationOptions: { maxErrors: 5 },
    stopOnTerminationSignals: false,
    stringifyResult: (result) => JSON.stringify(result),
    logger: log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      drain,
      operationPlugin({
        admit: createAdmission({ schema, permissions, trustedDocuments }),
        executor: createExecutor(schema, { jit: executor === 'jit' }),
        permissions,
        heavyWork,
        log,
        tellOperation,
      }),
    ],
  });
}

type Listener = GraphQLRequestListener<OperationScope>;
type Context = GraphQLRequestContext<OperationScope>;

/** The steps of an operation. */
interface Steps {
  readonly admit: Admit;
  readonly executor: Executor;
  readonly permissions: Permissions;
  readonly heavyWork: HeavyWork;
  readonly log: Logger;
  readonly tellOperation: TellOperation;
}

/**
 * Decides for each operation whether it may run, runs it with our executor, and reports its outcome. One plugin listener serves all
 * requests. Apollo would also accept the executor as a gateway, but then it keeps each request with its answer alive until the next
 * full garbage collection.
 */
function operationPlugin({ admit, executor, permissions, heavyWork, log, tellOperation }: Steps): ApolloServerPlugin<OperationScope> {
  const answerOf = async (context: Context, scope: OperationScope, result: ExecutionResult): Promise<GraphQLResponse> => {
    // A mutation must report what it has done: only the lists beyond its bounds are missing.
    if (scope.made.isTooMany && !isMutation(context)) return responseOf({ errors: [tooManyObjects(scope.made)] });
    if (result.errors) logErrors(log, result.errors, context);
    const told = asksForCost(context) ? withCost(result, scope) : result;
    return scope.isLarge ? await renderLarge(told, scope) : responseOf(told);
  };

  const answerAsHeavy = async (context: Context, execution: Execution): Promise<GraphQLResponse> => {
    const scope = asHeavy(context.contextValue);
    try {
      return await heavyWork.run(scope.identity, async () =>
        answerOf(context, scope, await executor.execute({ ...execution, context: scope })),
      );
    } catch (error) {
      if (error instanceof Unavailable) return responseOf({ errors: [requestError('UNAVAILABLE', error.message)] });
      throw error;
    } finally {
      context.contextValue.made.count = scope.made.count;
    }
  };

  /** If the answer turns out large, all of it is dropped, and the query runs again in its turn. */
  const answerLightQuery = async (context: Context, execution: Execution): Promise<GraphQLResponse> => {
    const { contextValue } = context;
    contextValue.made.most = limits.lightNodes;
    const result = await asShortWork(() => executor.execute(execution));
    return contextValue.made.isTooMany ? answerAsHeavy(context, execution) : answerOf(context, contextValue, result);
  };

  /** What it has written cannot be dropped: if the answer turns out large, the rest of it waits for its turn. */
  const answerLightMutation = (context: Context, execution: Execution): Promise<GraphQLResponse> =>
    asShortWork(async (turnsLong) => {
      const { contextValue } = context;
      const { made } = contextValue;
      made.most = limits.nodes;
      made.takeTurn = () => {
        turnsLong();
        contextValue.beginHeavyWork();
        return heavyWork.turn(contextValue.identity);
      };
      try {
        return await answerOf(context, contextValue, await executor.execute(execution));
      } finally {
        // After another part of the answer has failed, the rest goes on: it takes no turn that nobody would end, and one that comes later ends at once.
        made.takeTurn = null;
        void made.turn?.then((end) => end()).catch(() => {});
      }
    });

  const listener: Listener = {
    async didResolveOperation({ document, operation, request, contextValue, queryHash }) {
      if (!operation) throw requestError('OPERATION_RESOLUTION_FAILURE', noOperation(request.operationName));
      const { variables = noVariables } = request;
      if (operation.operation === 'subscription') throw requestError('BAD_REQUEST', whereSubscriptionsAre);
      await admit({ document, operation, variables, hash: queryHash }, contextValue);
      if (operation.operation === 'query') await contextValue.beginReading(request.http?.headers.get(positionHeader));
    },
    async responseForOperation(context) {
      const { document, operation, request, contextValue } = context;
      const execution: Execution = {
        document,
        operation,
        context: contextValue,
        variables: request.variables,
        hasLargeVariables: contextValue.hasLargeBody,
      };
      if (startsHeavy(contextValue.cost, contextValue.made.operation)) return answerAsHeavy(context, execution);
      return isMutation(context) ? answerLightMutation(context, execution) : answerLightQuery(context, execution);
    },
    // Errors of operations that failed before they ran.
    async didEncounterErrors(context) {
      logErrors(log, context.errors, context);
    },
    async willSendResponse(context) {
      addPlacesOfLiterals(context);
      hideValidationErrors(context, permissions);
      if (context.contextValue.audit) auditRefusal(context);
      chargeRest(context.contextValue);
      chargeUnknownDocument(context);
      await tellPosition(context);
      noteEnd(context, tellOperation);
    },
  };
  return {
    requestDidStart: async () => listener,
    async unexpectedErrorProcessingRequest({ requestContext, error }) {
      log.error({ requestId: requestContext.contextValue.requestId, err: error }, 'a request failed on a bug');
    },
  };
}

/** A client that asks by hash for a document that is not stored sends it next: unless it has sent much else, that costs little. */
function chargeUnknownDocument({ errors, contextValue: { visit, hasLargeBody } }: Context): void {
  if (!hasLargeBody && errors?.[0]?.extensions.code === 'PERSISTED_QUERY_NOT_FOUND') visit?.charge(1);
}

/** Refused mutations report it, too: they may have been refused because of another caller's write. */
async function tellPosition({ operation, response, contextValue }: Context): Promise<void> {
  const position = operation?.operation === 'mutation' ? await positionAfterWrite(contextValue) : null;
  if (position !== null) response.http.headers.set(positionHeader, position);
}

function noOperation(name: string | null | undefined): string {
  return name
    ? 'The document has no operation with the name in operationName.'
    : 'The document has several operations: give the name of one in operationName.';
}

const noVariables = {};
const whereSubscriptionsAre =
  'Subscriptions are served over WebSocket at GET /graphql (graphql-transport-ws), and as server-sent events at POST /graphql/stream.';

function isMutation({ operation }: Context): boolean {
  return operation?.operation === 'mutation';
}

function asksForCost({ request }: Context): boolean {
  return request.http?.headers.get('x-graphql-cost') === '1';
}

/** The answer with the cost of its operation, or its actual number of objects if that is higher, and what is left of the caller's budget. */
function withCost(result: ExecutionResult, { cost, made, visit }: OperationScope): ExecutionResult {
  const budget = visit?.budget();
  const extensions = {
    ...result.extensions,
    cost: { objects: Math.max(cost, made.cost), limit: limits.nodes },
    ...(budget && { budget }),
  };
  return { ...result, extensions };
}

/** An answer with partial data has status 200, in either media type. */
function responseOf({ errors, ...result }: ExecutionResult): GraphQLResponse {
  const headers = new HeaderMap();
  if (!errors) return { http: { headers }, body: { kind: 'single', singleResult: result } };
  const { http, formatted } = answerErrors(errors, result.data);
  return { http: { headers, ...http }, body: { kind: 'single', singleResult: { ...result, errors: formatted } } };
}

/** The answer with its JSON already in the scope, so that Apollo has nothing left to render but the errors. */
async function renderLarge(result: ExecutionResult, scope: OperationScope): Promise<GraphQLResponse> {
  const response = responseOf(result);
  if (!result.data || response.body.kind !== 'single') return response;
  const { errors, data, extensions } = response.body.singleResult;
  const { requestId, rendered } = scope;
  const named = errors?.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
  const pieces = await renderInPieces({ errors: named, data, extensions }, limits.bytes);
  if (pieces === null) return responseOf(withoutData(result.data, scope));
  rendered.pieces = pieces;
  return { ...response, body: { kind: 'single', singleResult: { data: {}, ...(errors && { errors }) } } };
}

/** What is left of an answer with too many bytes: which of the fields of a mutation have written. */
function withoutData(data: object, scope: OperationScope): ExecutionResult {
  const limit = limits.bytes;
  const message = `The answer is larger than ${limit} bytes: ask for smaller pages or fewer fields.`;
  const originalError = requestError('COST_LIMIT_EXCEEDED', message, { limit, measure: 'bytes' });
  // Compiled operations have skipped fields, too, without a value.
  const answered = Object.entries(data).flatMap(([field, value]) => (value === undefined ? [] : field));
  const fields = answered.map((field) => ({ field, afterCommit: isAfterCommit(scope, field) }));
  if (fields.every(({ afterCommit }) => !afterCommit)) return { errors: [originalError] };
  return {
    data: Object.fromEntries(fields.map(({ field }) => [field, null])),
    errors: fields.map(({ field, afterCommit }) =>
      publicError(new GraphQLError(message, { path: [field], originalError }), { afterCommit }),
    ),
  };
}

/** Begins the messages of refused literals with their location, and adds it as data, as for variables. */
function addPlacesOfLiterals({ operation, response, document, errors }: Context): void {
  if (operation || !document || !errors || response.body?.kind !== 'single') return;
  const { singleResult } = response.body;
  const located = singleResult.errors?.map((formatted, index) => {
    const literal = errors[index]?.nodes?.[0];
    const path = literal && placeOfLiteral(document, literal);
    if (!path) return formatted;
    const message = `${placeInWords(path)}: ${formatted.message}`;
    const { problems } = badUserInput(message, path).extensions;
    return { ...formatted, message, extensions: { ...formatted.extensions, path, problems } };
  });
  response.body.singleResult = { ...singleResult, ...(located && { errors: located }) };
}

/** Validation errors reveal the schema, so they are hidden from callers without permission. */
function hideValidationErrors({ operation, response, contextValue, document }: Context, permissions: Permissions): void {
  if (operation || !document || response.body?.kind !== 'single') return;
  const errors = response.body.singleResult.errors ?? [];
  if (!errors.some(({ extensions }) => extensions?.code === 'GRAPHQL_VALIDATION_FAILED')) return;
  const refusal = permissions.refusalOfInvalid(contextValue.identity);
  if (!refusal) return;
  const { http, formatted } = answerErrors([refusal], null);
  if (http.status !== undefined) response.http.status = http.status;
  response.body.singleResult = { errors: formatted };
}

/** Audits operations that were refused before they ran. */
function auditRefusal({ response, contextValue, document, operationName }: Context): void {
  const { audit, audited } = contextValue;
  audited.isOperation = true;
  if (response.body?.kind !== 'single' || audited.isRecorded) return;
  const { errors: [error] = [], data } = response.body.singleResult;
  if (!error || data !== undefined) return;
  const { code, rule } = error.extensions ?? {};
  const outcome = outcomeOfStatus(response.http.status ?? 400);
  if (outcome === null || typeof code !== 'string' || code === 'INTERNAL_SERVER_ERROR') return;
  const operation = document && getOperationAST(document, operationName);
  if (operation) noteAsked(audited, document, operation);
  audit?.({ outcome, action: typeof rule === 'string' ? rule : null, code });
}

function logErrors(log: Logger, errors: readonly GraphQLError[], { contextValue, operationName }: Context): void {
  const { requestId } = contextValue;
  const operation = nameForLog(operationName);
  for (const error of errors) {
    const line = { requestId, operation, err: error.originalError ?? error };
    if (isOverload(error)) log.info({ requestId, operation, reason: error.message }, 'an operation was given up');
    else if (isBug(error)) log.error(line, 'an operation failed on a bug');
    else if (isOutage(error.extensions.code)) log.warn(line, 'the database failed');
  }
}

/** The field of Query or Mutation that the operation selects. The operation is valid, so this is a name from the schema. */
function fieldOf({ operation }: Context): string {
  if (!operation) return 'none';
  const { selections } = operation.selectionSet;
  const [first] = selections;
  return selections.length === 1 && first?.kind === Kind.FIELD ? first.name.value : 'several';
}

function noteEnd(context: Context, tell: TellOperation): void {
  const { operation, operationName, response, contextValue } = context;
  const { activity, requestId, globalRequestId, identity } = contextValue;
  const errors = response.body?.kind === 'single' ? response.body.singleResult.errors : undefined;
  const codes = errors?.map(({ extensions }) => (typeof extensions?.code === 'string' ? extensions.code : 'INTERNAL_SERVER_ERROR')) ?? [];
  for (const code of codes) {
    measures.refusals.add(1, 'graphql', code);
    activity?.noteRefusal(code);
  }
  if (!activity) return;
  const name = nameForLog(operationName);
  tell(activity, {
    operation: fieldOf(context),
    requestId,
    globalRequestId,
    caller: identity,
    details: { ...(operation && { kind: operation.operation }), ...(name && { name }), ...(errors && { errors: codes }) },
  });
}
