// Whether a caller may run an operation: the only place where GraphQL decides this. All or nothing, before anything runs, so that a refusal reveals neither
// whether something exists nor how long it takes to find out. What a document asks for is collected once; knows no field.
import type { DocumentNode, GraphQLError, GraphQLNamedType, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { isObjectType } from 'graphql';
import { isOfProjects } from '../auth/policy/graphql-rules.ts';
import type { Policy } from '../auth/policy/policy.ts';
import type { RuleName } from '../auth/policy/rules.ts';
import type { Identity } from '../domain/identity.ts';
import type { Rights } from '../operations/scope/scope.ts';
import { requestError } from './errors.ts';
import type { Variables } from './limits.ts';
import { type Asked, askedIn, inputsGiven } from './permissions-of-document.ts';
import { declaredNeed, needOfField, rulesNamedBy } from './permissions-of-schema.ts';

/** What a caller that may run an operation gets to see. */
export interface Grant {
  /** Only what belongs to this project, on every path; null for everything. */
  readonly project: string | null;
  /** Whether objects of a type may be found by their ids. */
  sees(type: string): boolean;
  rights(): Rights;
}

export interface Permissions {
  /** Throws UNAUTHENTICATED for operations that are not for everyone, if there is no caller. */
  checkCaller(document: DocumentNode, operation: OperationDefinitionNode, caller: Identity | null): void;
  /** Throws FORBIDDEN, with the element and the rule. The variables are within the limits, otherwise unchecked. */
  check(document: DocumentNode, operation: OperationDefinitionNode, variables: Variables, caller: Identity | null): Grant;
  /** Throws FORBIDDEN for callers that may send only trusted documents. */
  checkMaySendAny(caller: Identity | null): void;
  /** The refusal of an invalid document; null for callers that may know why. */
  refusalOfInvalid(caller: Identity | null): GraphQLError | null;
}

/** How far a rule allows a caller. */
type Reach = 'all' | 'own' | 'none';

/** No target in particular: the whole cloud. */
const wholeCloud = {};
/** Guards introspection, and the reasons why a document is invalid. */
const schemaRule = 'placement:graphql:schema:read';
/** The types that show the whole cloud. */
const mapTypes: ReadonlySet<string> = new Set(['CloudMap', 'CloudMapClass']);
/** Guards documents that are not on the list of trusted ones, if there is such a list. */
const documentsRule = 'placement:graphql:documents:send';

export function createPermissions(schema: GraphQLSchema, policy: Policy): Permissions {
  const known = new WeakMap<OperationDefinitionNode, Asked>();
  const askedBy = (document: DocumentNode, operation: OperationDefinitionNode): Asked => {
    let asked = known.get(operation);
    if (!asked) {
      asked = askedIn(schema, document, operation);
      known.set(operation, asked);
    }
    return asked;
  };
  const reaches = new Reaches(policy);
  const rules = rulesOf(schema);
  return {
    checkCaller(document, operation, caller) {
      if (caller === null && !askedBy(document, operation).isPublic) throw unauthenticated();
    },
    check(document, operation, variables, caller) {
      const project = projectOf(askedBy(document, operation), variables, caller, reaches);
      return {
        project,
        sees: (type) => reaches.coverType(schema.getType(type), caller),
        rights: () => reaches.rights(rules, caller),
      };
    },
    checkMaySendAny(caller) {
      if (reaches.of(documentsRule, caller) === 'all') return;
      throw requestError(
        'FORBIDDEN',
        `This gateway serves only its trusted documents. Callers that the rule ${documentsRule} allows may send others.`,
        { rule: documentsRule },
      );
    },
    refusalOfInvalid(caller) {
      if (caller === null) return unauthenticated();
      if (reaches.of(schemaRule, caller) === 'all') return null;
      return requestError('FORBIDDEN', `The document is invalid. Callers that the rule ${schemaRule} allows see the reasons.`, {
        rule: schemaRule,
      });
    },
  };
}

/** How far the rules of a policy allow callers. */
class Reaches {
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  // A test of the contract ensures that the table has all rules of the schema. An unknown rule allows nobody.
  of(rule: string, caller: Identity | null): Reach {
    const name = rule as RuleName;
    if (this.#policy.allows(name, caller, wholeCloud)) return 'all';
    if (!isOfProjects(rule) || typeof caller?.project !== 'string') return 'none';
    return this.#policy.allows(name, caller, { project_id: caller.project }) ? 'own' : 'none';
  }

  /** Callers that may read a type and its id find its objects by id. */
  coverType(type: GraphQLNamedType | undefined, caller: Identity | null): boolean {
    const id = isObjectType(type) ? type.getFields().id : undefined;
    if (!type || !id) return false;
    const needs = [declaredNeed(type), needOfField(type, id)];
    return needs.every((need) => typeof need === 'object' && need !== null && this.of(need.rule, caller) !== 'none');
  }

  rights({ all, ofWrites, ofMap }: RulesOfSchema, caller: Identity | null): Rights {
    const reaches = new Map(all.map((rule) => [rule, this.of(rule, caller)]));
    const allowsAll = (rule: string) => reaches.get(rule) === 'all';
    return {
      rules: [...reaches].flatMap(([name, reach]) =>
        reach === 'none' ? [] : [{ name, reach: reach === 'all' ? 'EVERYTHING' : 'OWN_PROJECT' }],
      ),
      mayReadCloud: ofMap.every(allowsAll),
      mayWrite: ofWrites.some(allowsAll),
    };
  }
}

/** The rules that a schema names. */
interface RulesOfSchema {
  readonly all: readonly string[];
  readonly ofWrites: readonly string[];
  readonly ofMap: readonly string[];
}

function rulesOf(schema: GraphQLSchema): RulesOfSchema {
  const named = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const namedBy = (types: readonly GraphQLNamedType[]) => [...new Set(types.flatMap(rulesNamedBy))];
  return {
    all: namedBy(named).toSorted(),
    ofWrites: namedBy(named.filter((type) => type === schema.getMutationType())),
    ofMap: namedBy(named.filter(({ name }) => mapTypes.has(name))),
  };
}

/** The project that an operation is limited to, or null. Throws FORBIDDEN. */
function projectOf({ needs, undeclared, given }: Asked, variables: Variables, caller: Identity | null, reaches: Reaches): string | null {
  if (undeclared !== null) throw requestError('FORBIDDEN', `No caller may use ${undeclared}.`, { element: undeclared });
  let isRestricted = false;
  const need = (rule: string, element: string): void => {
    const reach = reaches.of(rule, caller);
    if (reach === 'none') throw forbidden(rule, element);
    if (reach === 'own') isRestricted = true;
  };
  for (const [rule, element] of needs) need(rule, element);
  for (const one of given) {
    // Skips the values for callers that may use all of them.
    const isOpen = [...one.rules].every((rule) => reaches.of(rule, caller) === 'all');
    if (!isOpen) inputsGiven(one, variables, need);
  }
  return isRestricted ? (caller?.project ?? null) : null;
}

function unauthenticated(): GraphQLError {
  return requestError('UNAUTHENTICATED', 'A valid token is required: send it as Authorization: Bearer, or in X-Auth-Token.');
}

function forbidden(rule: string, element: string): GraphQLError {
  return requestError('FORBIDDEN', `${element} is for callers that the rule ${rule} allows.`, { element, rule });
}
