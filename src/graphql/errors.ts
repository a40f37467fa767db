// Errors outside of payloads, as callers see them: a code and a message, without internals.
// Refusals and invalid values keep their messages; an unavailable database is named; everything else is a bug with one fixed message.
// Mutations return refusals in their payloads; only those of queries come here. listener/server.ts logs.

import { HeaderMap } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { OverBudget } from '../auth/budgets.ts';
import {
  Following,
  HistoryRefusal,
  OutcomeUnknown,
  Overloaded,
  Refusal,
  type RefusalCode,
  Unavailable,
  UnreadableAnswer,
} from '../domain/errors.ts';
import { limits } from '../domain/limits.ts';
import { type ErrorCode, retryOf } from '../domain/retry.ts';
import { isDatabaseFault } from '../operations/request/faults.ts';
import { shownNoun } from './problem-types.ts';
import { messageWithPlace, pathOfMessage } from './subjects.ts';

/** Codes of errors that stop a request before or while it runs, with the HTTP status of each. */
const statuses = {
  BAD_REQUEST: 400,
  BAD_USER_INPUT: 400,
  TOO_COMPLEX: 400,
  COST_LIMIT_EXCEEDED: 400,
  OPERATION_RESOLUTION_FAILURE: 400,
  CURSOR_EXPIRED: 400,
  HISTORY_GONE: 400,
  HISTORY_TOO_LONG: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  FOLLOWING: 409,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  OUTCOME_UNKNOWN: 503,
} as const satisfies Readonly<Partial<Record<ErrorCode, number>>>;

const bugCode = 'INTERNAL_SERVER_ERROR';
const bugMessage = 'Internal error. The log of the server has the details under this request id.';
const maxMessageLength = limits.errorMessageLength;

/** An error for the whole request, with the HTTP status of its code. `details` become extensions, and may override the code's `retry`. */
export function requestError(code: keyof typeof statuses, message: string, details: Readonly<Record<string, unknown>> = {}): GraphQLError {
  return new GraphQLError(message, { extensions: { retry: retryOf(code), ...details, code, http: { status: statuses[code] } } });
}

/** The refusal of a value before a resolver gets it, in the form of the refusals of resolvers. */
export function badUserInput(message: string, path: readonly string[]): GraphQLError {
  const problem = { code: 'INVALID_INPUT', message, path, retry: retryOf('INVALID_INPUT') };
  return requestError('BAD_USER_INPUT', message, { path, problems: [problem] });
}

/** The refusal of a caller who has asked for too much. */
export function rateLimited({ message, retryAfter, budget }: OverBudget): GraphQLError {
  const { extensions } = requestError('RATE_LIMITED', message, { retryAfter, ...(budget && { budget }) });
  const headers = new HeaderMap([['retry-after', String(retryAfter)]]);
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: statuses.RATE_LIMITED, headers } } });
}

/** Wraps anything that was thrown, so that publicError can show it. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  if (error instanceof OverBudget) return rateLimited(error);
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

/** The codes of refusals in queries: GraphQL's general one for malformed input, otherwise our own. */
const refusalCodes: Readonly<Partial<Record<RefusalCode, string>>> = { INVALID_INPUT: 'BAD_USER_INPUT' };

/**
 * The error as a caller may see it, always with a code, from either executor. The original is kept in `originalError`.
 * `afterCommit`: it occurred in the answer of a completed write.
 */
export function publicError(error: GraphQLError, { afterCommit } = { afterCommit: false }): GraphQLError {
  const answer = afterCommit ? asUnreadPart(answerTo(deepest(error))) : answerTo(deepest(error));
  const { path, originalError } = error;
  const answered = new GraphQLError(answer.message, {
    ...(path ? { path } : {}),
    originalError: originalError ?? error,
    extensions: answer.extensions,
  });
  // graphql-jit gives locations without nodes.
  return Object.assign(answered, { locations: error.locations });
}

/** The last resort, for errors that did not pass through publicError: one without a code is a bug and gets a fixed message. */
export function formatError(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const { path, extensions } = formatted;
  if (extensions?.code !== bugCode) return complete(formatted);
  if (extensions.written === true) return formatted;
  return { message: bugMessage, ...(path ? { path } : {}), extensions: { code: bugCode, retry: retryOf(bugCode) } };
}

/** The limits that the parser and the validator enforce, by their messages. */
const limitsOfDocuments: readonly [message: RegExp, measure: string, limit: 'operationTokens' | 'operationSelections'][] = [
  [/Document contains more tha[nt] \d+ tokens/, 'tokens', 'operationTokens'],
  [/recursively requests too many selections\.$/, 'selections', 'operationSelections'],
];

/** Apollo refuses a mutation with GET by the status 405, but with another code. */
const writesWithGet = /^GET requests only support query operations/;

/** Completes the errors of Apollo and graphql-js with what every error has: a code for each status, a retry, a bounded message, and the name of an exceeded limit. */
function complete(formatted: GraphQLFormattedError): GraphQLFormattedError {
  if (writesWithGet.test(formatted.message)) {
    const code = 'METHOD_NOT_ALLOWED';
    return { message: 'Only queries are sent with GET: send this operation with POST.', extensions: { code, retry: retryOf(code) } };
  }
  const { path, locations, extensions } = formatted;
  const code = String(extensions?.code);
  const exceeded = /^GRAPHQL_/.test(code) ? limitsOfDocuments.find(([message]) => message.test(formatted.message)) : undefined;
  if (exceeded === undefined) {
    return { ...formatted, message: shorten(formatted.message), extensions: { retry: retryOf(code), ...extensions } };
  }
  const [, measure, name] = exceeded;
  const message = `The document has more than ${limits[name]} ${measure}: see the limit ${name}.`;
  const { http: _, ...told } = requestError('TOO_COMPLEX', message, { measure, limit: limits[name] }).extensions;
  return { message, ...(path && { path }), ...(locations && { locations }), extensions: told };
}

/** Errors as they are sent, and the HTTP status of the last one that has any. An answer with data gets no such status. */
export function answerErrors(
  errors: readonly GraphQLError[],
  data: unknown,
): {
  readonly http: { readonly status?: number };
  readonly formatted: readonly GraphQLFormattedError[];
} {
  let http = {};
  const formatted = errors.map((error) => {
    const { http: asked, ...extensions } = error.extensions;
    if (asked && (data === null || data === undefined)) http = asked;
    return formatError({ ...error.toJSON(), extensions });
  });
  return { http, formatted };
}

const codesOfOutages: ReadonlySet<unknown> = new Set(['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'ANSWER_INCOMPLETE']);

/** True for the code of an error that means that the database could not be reached. */
export function isOutage(code: unknown): boolean {
  return codesOfOutages.has(code);
}

/** True for an unforeseen error, which belongs in the log in full. */
export function isBug(error: GraphQLError): boolean {
  return (error.extensions.code ?? bugCode) === bugCode;
}

/** A quoted value may be megabytes long. */
function shorten(message: string): string {
  return message.slice(0, maxMessageLength);
}

function answerTo(cause: unknown): PublicAnswer {
  if (cause instanceof Refusal) {
    const problems = cause.problems.map((problem) => ({
      ...problem,
      ...('noun' in problem && { noun: shownNoun[problem.noun] }),
      message: messageWithPlace(problem),
    }));
    const { code, retry, path } = problems[0] ?? { code: 'INVALID_INPUT', retry: 'NEVER', path: [] };
    return {
      message: problems.map(({ message }) => message).join('; '),
      extensions: { code: refusalCodes[code] ?? code, retry, path, problems, http: { status: statuses.BAD_USER_INPUT } },
    };
  }
  if (cause instanceof OutcomeUnknown) return requestError('OUTCOME_UNKNOWN', cause.message, { retry: cause.retry });
  if (cause instanceof Unavailable) return requestError(cause instanceof Following ? 'FOLLOWING' : 'UNAVAILABLE', cause.message);
  if (cause instanceof UnreadableAnswer) {
    const code = 'ANSWER_INCOMPLETE';
    return { message: cause.message, extensions: { code, retry: retryOf(code), written: true } };
  }
  if (cause instanceof HistoryRefusal) return requestError(cause.code, cause.message);
  if (isDatabaseFault(cause)) return requestError('UNAVAILABLE', 'The database is not available at the moment.');
  if (cause instanceof GraphQLError) {
    // Errors of graphql-jit may lack the extensions that the type promises.
    if (cause.extensions?.code !== undefined) return cause;
    if (/^(Variable|Argument) "|^Too many errors processing variables/.test(cause.message)) {
      return badUserInput(shorten(cause.message), pathOfMessage(cause.message) ?? []);
    }
  }
  return { message: bugMessage, extensions: { code: bugCode, retry: retryOf(bugCode) } };
}

interface PublicAnswer {
  readonly message: string;
  readonly extensions: Record<string, unknown>;
}

/** The answer for a part that could not be read after a completed write. An outage gets another code here: it must not suggest that nothing was written. */
function asUnreadPart({ message, extensions }: PublicAnswer): PublicAnswer {
  return {
    message: `The write was done. Only this part of its answer could not be read: ${message}`,
    extensions: {
      ...extensions,
      ...(isOutage(extensions.code) && { code: 'ANSWER_INCOMPLETE' }),
      retry: retryOf('ANSWER_INCOMPLETE'),
      written: true,
    },
  };
}

/** Whether an operation was given up because of overload: not a fault, and perhaps one of thousands. */
export function isOverload(error: GraphQLError): boolean {
  return deepest(error) instanceof Overloaded;
}

/** The root cause: executors and Drizzle wrap errors. Our own errors are not unwrapped. */
function deepest(error: Error): unknown {
  if ([Refusal, HistoryRefusal, OutcomeUnknown, Unavailable, UnreadableAnswer].some((own) => error instanceof own)) return error;
  // The cause of a database fault may be anything.
  if (!(error instanceof GraphQLError) && isDatabaseFault(error)) return error;
  const inner = error instanceof GraphQLError ? error.originalError : error.cause;
  // The outer error for a value that a scalar refuses names its variable.
  if (!(inner instanceof Error) || (inner instanceof GraphQLError && /^(Variable|Argument) "/.test(error.message))) return error;
  return deepest(inner);
}
