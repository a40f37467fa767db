// Callers of every kind that access rules distinguish, and a GraphQL server without a listener that answers each of them.
import { HeaderMap } from '@apollo/server';
import { afterAll, beforeAll } from 'vitest';
import type { Policy } from '../../src/auth/policy/policy.ts';
import { type Identity, plainIdentity } from '../../src/domain/identity.ts';
import { Made } from '../../src/graphql/large-answers.ts';
import type { OperationScope } from '../../src/graphql/operation-scope.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';
import { createGraphqlServer } from '../../src/graphql/server.ts';
import { Subscriptions } from '../../src/graphql/streams/subscriptions.ts';
import { createLogger } from '../../src/logs/process-log.ts';
import { HeavyWork } from '../../src/operations/request/heavy-work.ts';
import { Scope } from '../../src/operations/scope/scope.ts';
import type { TestDatabase } from './database.ts';
import { defaultPolicy } from './policy.ts';

/** The project of all personas that have one. */
const ownProject = 'blue';

function token(user: string, roles: readonly string[], scope: Identity['scope'] = 'project'): Identity {
  const identity = plainIdentity('keystone', user, scope === 'project' ? ownProject : null, roles);
  return { ...identity, scope, domain: scope === 'domain' ? 'default' : null };
}

// Keystone lists implied roles.
const ofAdmin = ['admin', 'manager', 'member', 'reader'];

/** As in the measurements of upstream; `watcher` is a read-only operator by role. Null stands for no token and for an invalid one. */
export const personas = {
  none: null,
  nobody: token('nobody', [], 'none'),
  reader: token('reader', ['reader']),
  member: token('member', ['member', 'reader']),
  worker: token('worker', ['service']),
  nova: token('nova', ['service', ...ofAdmin]),
  admin: token('admin', ofAdmin),
  'domain admin': token('domain-admin', ofAdmin, 'domain'),
  'system admin': token('system-admin', ofAdmin, 'system'),
  auditor: token('auditor', ['reader'], 'system'),
  watcher: token('watcher', ['auditor']),
} as const satisfies Record<string, Identity | null>;
export type Persona = keyof typeof personas;

class AskedScope extends Scope implements OperationScope {
  readonly startedAt = 0;
  readonly hasLargeBody = false;
  readonly rendered: OperationScope['rendered'] = {};
  readonly audited = { operation: null, fields: [], isRecorded: false, isOperation: false };
  readonly visit = null;
  isLarge = false;
  readonly made = new Made();
  isCounted = false;
  cost = 0;
}

export interface Answered {
  readonly status: number;
  /** The body as sent. */
  readonly text: string;
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors:
    | readonly {
        readonly message: string;
        readonly path?: readonly (string | number)[] | undefined;
        readonly extensions: Readonly<Record<string, unknown>>;
      }[]
    | undefined;
}

export type AskAs = (
  caller: Identity | Persona,
  query: string,
  variables?: Readonly<Record<string, unknown>>,
  more?: Readonly<Record<string, unknown>>,
) => Promise<Answered>;

/** Answers over a database for the duration of a test file. */
export function useCallers(
  database: () => Pick<TestDatabase, 'db'>,
  {
    policy = defaultPolicy(),
    federation = false,
    introspection = true,
  }: { policy?: Policy; federation?: boolean; introspection?: boolean } = {},
): AskAs {
  const { log } = createLogger({ level: 'error', write: () => {} });
  const server = createGraphqlServer({
    schema: loadSchema({ federation }),
    executor: 'jit',
    introspection,
    policy,
    log,
    tellOperation: () => {},
    trustedDocuments: null,
    heavyWork: new HeavyWork(),
    drain: {},
  });
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return async (caller, query, variables = {}, more = {}) => {
    const identity = typeof caller === 'string' ? personas[caller] : caller;
    const scope = new AskedScope({ db: database().db, identity, requestId: 'req-test' });
    const { status = 200, body } = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: 'POST',
        headers: new HeaderMap([['content-type', 'application/json']]),
        body: { query, variables, ...more },
        search: '',
      },
      context: async () => scope,
    });
    const sent = body.kind === 'complete' ? body.string : '';
    const text = scope.rendered.pieces ? Buffer.concat(scope.rendered.pieces).toString() : sent;
    return { status, text, ...(JSON.parse(text) as Pick<Answered, 'data' | 'errors'>) };
  };
}

/** Whether these callers may subscribe: opens subscriptions, and ends them immediately. */
export function useSubscribers(database: () => Pick<TestDatabase, 'db'>, policy = defaultPolicy()): AskAs {
  const { log } = createLogger({ level: 'error', write: () => {} });
  const subscriptions = new Subscriptions({ schema: loadSchema({}), policy, trustedDocuments: null, heavyWork: new HeavyWork(), log });
  return async (caller, query, variables = {}) => {
    const identity = typeof caller === 'string' ? personas[caller] : caller;
    const opened = await subscriptions.open(
      { query, variables },
      () => new AskedScope({ db: database().db, identity, requestId: 'req-test' }),
      () => null,
    );
    if (!('answers' in opened)) return { status: opened.status, text: '', data: null, errors: opened.errors };
    await opened.answers.return?.();
    return { status: 200, text: '', data: {}, errors: undefined };
  };
}

/** Status, code, element and rule of a refusal without data. */
export function refusalOf({ status, data, errors }: Answered): unknown[] {
  const { code, element, rule } = errors?.[0]?.extensions ?? {};
  return [status, code, ...(data ? ['data'] : []), ...(element === undefined ? [] : [element]), ...(rule === undefined ? [] : [rule])];
}
