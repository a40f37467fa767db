// Opens subscriptions: the same checks as for queries, then an answer for each message of the source. Knows no transport and no field.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Logger } from 'pino';
import { type Budget, OverBudget, type Visit } from '../../auth/budgets.ts';
import type { Policy } from '../../auth/policy/policy.ts';
import { outcomeOfStatus } from '../../domain/audit.ts';
import type { Identity } from '../../domain/identity.ts';
import { limits } from '../../domain/limits.ts';
import { asShortWork } from '../../operations/request/event-loop-share.ts';
import { type HeavyWork, TooBusy } from '../../operations/request/heavy-work.ts';
import { type Admit, chargeRest, createAdmission } from '../admission.ts';
import { nameForLog } from '../audited.ts';
import { shrink } from '../documents.ts';
import { answerErrors, asGraphqlError, isBug, publicError, requestError } from '../errors.ts';
import { renderInPieces } from '../large-answers.ts';
import type { Variables } from '../limits.ts';
import { asHeavy, type OperationScope } from '../operation-scope.ts';
import { createPermissions, type Grant, type Permissions } from '../permissions.ts';
import type { TrustedDocuments } from '../trusted-documents.ts';
import { type Answer, type AnswerSteps, Answers, type Message } from './answers.ts';
import { selectionsWithin, variablesBelow } from './selections.ts';
import { SharedAnswers } from './shared-answers.ts';

export interface SubscriptionRequest {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Record<string, unknown> | null | undefined;
}

/** A subscription that was admitted. */
export interface OpenSubscription {
  /** The JSON of the answers, with errors as callers may see them. `return()` ends it, even while a reader waits. */
  readonly answers: AsyncIterableIterator<string, undefined>;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  /** Ends the subscription with the reason as its last answer, unless this caller may still read it. */
  endUnlessAllowed(identity: Identity | null): void;
  /** Ends the subscription with an error as its last answer. */
  end(error: unknown): void;
}

/** Why a subscription was refused. */
export interface RefusedSubscription {
  /** As callers may see them. */
  readonly errors: readonly GraphQLError[];
  /** The HTTP status. */
  readonly status: number;
}

export interface SubscriptionOptions {
  readonly schema: GraphQLSchema;
  readonly policy: Policy;
  readonly trustedDocuments: TrustedDocuments | null;
  readonly heavyWork: HeavyWork;
  readonly log: Logger;
}

type How = Parameters<AnswerSteps['answer']>[1];

/** Makes a new scope for each answer. The first scope is for the checks, and has the visit of its caller. */
export type NewScope = (visit: Visit | null) => OperationScope;

export class Subscriptions {
  readonly #schema: GraphQLSchema;
  readonly #permissions: Permissions;
  readonly #admit: Admit;
  readonly #heavyWork: HeavyWork;
  readonly #log: Logger;
  readonly #shared = new SharedAnswers();

  constructor({ schema, policy, trustedDocuments, heavyWork, log }: SubscriptionOptions) {
    this.#schema = schema;
    this.#permissions = createPermissions(schema, policy);
    this.#admit = createAdmission({ schema, permissions: this.#permissions, trustedDocuments });
    this.#heavyWork = heavyWork;
    this.#log = log;
  }

  /** The subscription, or why it was refused. `enter` begins a request of the caller, or throws OverBudget. */
  async open(request: SubscriptionRequest, newScope: NewScope, enter: () => Visit | null): Promise<OpenSubscription | RefusedSubscription> {
    const started = performance.now();
    let scope = newScope(null);
    try {
      scope = newScope(enter());
      const { document, operation } = this.#read(request, scope.identity);
      const variables: Variables = request.variables ?? {};
      const hash = createHash('sha256').update(request.query).digest('hex');
      await this.#admit({ document, operation, variables, hash }, scope);
      const execution = { schema: this.#schema, document, variableValues: variables, operationName: operation.name?.value };
      const source = await createSourceEventStream({ ...execution, contextValue: scope });
      if (!(Symbol.asyncIterator in source)) return this.#refuse(source.errors ?? [], scope, operation, started);
      const messages = (source as AsyncIterable<Message, undefined>)[Symbol.asyncIterator]() as AsyncIterator<Message, undefined>;
      this.#logLine('a subscription begins', scope, operation, { ms: since(started) });
      const isShareable = variablesBelow(document, operation) === 0;
      const answer: AnswerSteps['answer'] = async (message, how) => {
        const fresh = newScope(null);
        // Each message is checked against the current rights, like each query.
        const { project, sees, rights } = this.#grantOf(document, operation, variables, fresh.identity, scope.ownProject);
        fresh.ownProject = project;
        fresh.sees = sees;
        fresh.rights = rights;
        fresh.made.operation = scope.made.operation;
        const answering = () => this.#answer({ ...execution, rootValue: message }, fresh, message.parts, how);
        // All callers that may read the whole document, whatever the project, get the same answer.
        return project === null && isShareable ? this.#shared.once(message, `${hash} ${operation.name?.value}`, answering) : answering();
      };
      const answers = new Answers(messages, {
        answer,
        cost: scope.cost,
        charge: (objects) => scope.visit?.charge(objects),
        secondsUntilNext: () => secondsOfDebt(scope.visit?.budget() ?? null),
        renderFailure: (error) => JSON.stringify({ errors: this.#shown([asGraphqlError(error)], scope) }),
        onEnd: (answered) => this.#logLine('a subscription ends', scope, operation, { ms: since(started), messages: answered }),
      });
      return {
        answers,
        document,
        operationName: operation.name?.value,
        endUnlessAllowed: (identity) => {
          try {
            this.#grantOf(document, operation, variables, identity, scope.ownProject);
          } catch (error) {
            answers.fail(error);
          }
        },
        end: (error) => answers.fail(error),
      };
    } catch (error) {
      if (error instanceof OverBudget) await sleep(error.hold);
      return this.#refuse([asGraphqlError(error)], scope, null, started);
    } finally {
      chargeRest(scope);
      scope.visit?.leave();
    }
  }

  /** Executes and renders an answer; one that is heavy, or turns out so, in its turn and in parts. */
  async #answer(execution: ExecutionArgs, light: OperationScope, parts: number, how: How): Promise<Answer> {
    const render = async (result: ExecutionResult, scope: OperationScope): Promise<Answer> => {
      const made = scope.made.cost;
      if (scope.made.isTooMany) return { json: null, made };
      const shown = result.errors ? { ...result, errors: this.#shown(result.errors, scope) } : result;
      const pieces = await renderInPieces(shown, limits.streamMessageSize);
      return { json: pieces && Buffer.concat(pieces).toString(), made };
    };
    if (!how.isHeavy) {
      light.made.most = limits.lightMessageCost;
      const result = await asShortWork(async () => execute({ ...execution, contextValue: light }));
      if (!light.made.isTooMany) return render(result, light);
    }
    const scope = asHeavy(light, parts > 1 ? 2 * limits.streamMessageCost : limits.operationCost);
    for (;;) {
      try {
        return await this.#heavyWork.run(scope.identity, async () => render(await execute({ ...execution, contextValue: scope }), scope));
      } catch (error) {
        // There is no hurry, and no client would send it again.
        if (!(error instanceof TooBusy) || how.isOver()) throw error;
        await sleep(limits.streamPause);
      }
    }
  }

  #read({ query, operationName }: SubscriptionRequest, caller: Identity | null) {
    const document = parseOrRefuse(query);
    const faults = validate(this.#schema, document, specifiedRules, { maxErrors: 5 });
    const [fault] = faults;
    if (fault) throw this.#permissions.refusalOfInvalid(caller) ?? withCode(fault, 'GRAPHQL_VALIDATION_FAILED');
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'subscription') {
      throw requestError(
        'BAD_REQUEST',
        'Only subscriptions are served here, one at a time: send queries and mutations with POST to /graphql.',
      );
    }
    if (!selectionsWithin(document, operation, limits.operationSelections)) {
      throw requestError('TOO_COMPLEX', `The operation is too complex: more than ${limits.operationSelections} selections.`);
    }
    return { document, operation };
  }

  /** What a caller may see of a subscription that was opened for a project, or for everything. Throws if the subscription may not continue. */
  #grantOf(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Variables,
    identity: Identity | null,
    project: string | null,
  ): Grant {
    this.#permissions.checkCaller(document, operation, identity);
    const grant = this.#permissions.check(document, operation, variables, identity);
    if (grant.project !== project) throw requestError('FORBIDDEN', 'The rights of the caller have changed: subscribe again.');
    return grant;
  }

  #refuse(errors: readonly GraphQLError[], scope: OperationScope, operation: OperationDefinitionNode | null, started: number) {
    const shown = this.#shown(errors, scope);
    const { audit, audited } = scope;
    audited.isOperation = true;
    const { code, rule } = shown[0]?.extensions ?? {};
    const status = statusOf(errors);
    const outcome = outcomeOfStatus(status);
    if (audit && outcome !== null && typeof code === 'string') audit({ outcome, action: typeof rule === 'string' ? rule : null, code });
    this.#logLine('a subscription is refused', scope, operation, {
      ms: since(started),
      errors: shown.map(({ extensions }) => extensions.code),
    });
    return { errors: shown, status };
  }

  /** The errors as callers may see them. Logs bugs. */
  #shown(errors: readonly GraphQLError[], { requestId }: OperationScope): GraphQLError[] {
    const known = errors.map((error) => publicError(error));
    for (const error of known) {
      if (isBug(error)) this.#log.error({ requestId, err: error.originalError ?? error }, 'a subscription failed on a bug');
    }
    return answerErrors(known, null).formatted.map(
      ({ message, path, extensions }) => new GraphQLError(message, { ...(path && { path }), extensions: { ...extensions, requestId } }),
    );
  }

  #logLine(
    message: string,
    { requestId, globalRequestId, identity }: OperationScope,
    operation: OperationDefinitionNode | null,
    more: object,
  ) {
    const { user, project } = identity ?? {};
    const name = nameForLog(operation?.name?.value);
    this.#log.info({ requestId, ...(globalRequestId !== null && { globalRequestId }), operation: name, user, project, ...more }, message);
  }
}

function parseOrRefuse(query: string): DocumentNode {
  try {
    const document = parse(query, { maxTokens: limits.operationTokens });
    shrink(document);
    return document;
  } catch (error) {
    throw withCode(asGraphqlError(error), 'GRAPHQL_PARSE_FAILED');
  }
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(error.message, { nodes: error.nodes ?? null, extensions: { code } });
}

/** The HTTP status for errors that came before the first answer. */
function statusOf(errors: readonly GraphQLError[]): number {
  const status = answerErrors(
    errors.map((error) => publicError(error)),
    null,
  ).http.status;
  return status ?? (errors.some(({ extensions }) => /^GRAPHQL_/.test(String(extensions.code))) ? 400 : 500);
}

/** Seconds until the budget of a caller has recovered from its answers. */
function secondsOfDebt(budget: Budget | null): number {
  return budget && budget.remaining < 0 ? (-budget.remaining / budget.limit) * 60 : 0;
}

function since(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
