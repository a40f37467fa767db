// Parses the query of GET /allocation_candidates, at every version, into a request to the search. Pure: does not look up names. The schema has already
// validated the query; the checks here are those that a schema cannot express.
import { type CandidateRequest, flattenClauses, type RequestGroup } from '../../domain/candidates/request.ts';
import type { MembershipClause } from '../../domain/provider.ts';
import { has, type Microversion } from '../microversions.ts';
import { pythonRepr } from '../python-repr.ts';
import { parseInTree, parseMemberOf, parseRequired, parseResources, parseTraits, type Query } from '../query.ts';
import { errorCodes, RestError } from '../rest-error.ts';
import { groupParameter } from '../schemas/candidates.ts';

/** The request in a query. Throws a RestError, 400, for one that contradicts itself. */
export function parseCandidatesQuery(query: Query, version: Microversion): CandidateRequest {
  const limit = parseLimit(query);
  // The schema checked the last value, but the first one counts.
  const groupPolicy = query.first('group_policy');
  const rootTraits = parseRootRequired(query, version);
  const sameSubtree = parseSameSubtree(query);
  const groups = parseGroups(query, version);
  checkGroups(groups, sameSubtree, version);
  if (groupPolicy === undefined && groups.filter(({ suffix }) => suffix !== '').length > 1) {
    throw new RestError(400, 'The "group_policy" parameter is required when specifying more than one "resources{N}" parameter.');
  }
  return {
    groups,
    groupPolicy: groupPolicy === 'isolate' ? 'ISOLATE' : 'NONE',
    rootTraits,
    sameSubtree,
    limit: limit === undefined ? null : Math.min(Number(limit), Number.MAX_SAFE_INTEGER),
    perRootLimit: null,
    order: [],
    ...(has(version, 'nestedCandidates') ? {} : { withoutNested: true }),
  };
}

/** The schema checked the last value of a repeated limit, but the first one counts. */
function parseLimit(query: Query): string | undefined {
  const value = query.first('limit');
  if (value === undefined || /^[1-9][0-9]*$/.test(value)) return value;
  throw new RestError(400, `Invalid query string parameters: ${pythonRepr(value)} is not a valid value of 'limit'`);
}

function parseRootRequired(query: Query, version: Microversion): MembershipClause[] {
  const [value, second] = query.all('root_required');
  if (value === undefined) return [];
  if (second !== undefined) {
    throw new RestError(400, "Query parameter 'root_required' may be specified only once.", { code: errorCodes.duplicateKey });
  }
  if (value.startsWith('in:')) {
    throw new RestError(
      400,
      `Invalid query string parameters: The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' only supported since microversion 1.39. Got: ${value}`,
    );
  }
  const clause = parseTraits(value, version);
  const forbidden = new Set(clause.noneOf);
  const conflicts = (clause.allOf ?? []).filter((name) => forbidden.has(name));
  if (conflicts.length > 0) {
    throw new RestError(400, `Conflicting required and forbidden traits found in root_required: ${conflicts.join(', ')}`, {
      code: errorCodes.badValue,
    });
  }
  return [clause];
}

function parseSameSubtree(query: Query): string[][] {
  return query.all('same_subtree').map((value) => {
    const suffixes = [...new Set(value.split(',').map((suffix) => suffix.trim()))];
    if (suffixes.includes('')) {
      throw new RestError(400, 'Empty string (unsuffixed group) can not be specified in `same_subtree` ', { code: errorCodes.badValue });
    }
    return suffixes;
  });
}

function parseGroups(query: Query, version: Microversion): RequestGroup[] {
  const form = groupParameter(version);
  const suffixes = new Set(query.names.flatMap((name) => form.exec(name)?.[2] ?? (form.test(name) ? '' : [])));
  return [...suffixes].map((suffix) => {
    // All values are parsed, so that an invalid one is refused; the last one counts.
    const resources = query.all(`resources${suffix}`).map(parseResources).at(-1);
    const inTree = query.all(`in_tree${suffix}`).map(parseInTree).at(-1);
    return {
      suffix,
      resources: resources ?? [],
      traits: parseRequired(query.all(`required${suffix}`), version),
      aggregates: parseMemberOf(query.all(`member_of${suffix}`), version, suffix),
      inTrees: inTree === undefined ? null : [inTree],
    };
  });
}

function checkGroups(groups: readonly RequestGroup[], sameSubtree: readonly (readonly string[])[], version: Microversion): void {
  if (has(version, 'sameSubtree')) checkResourceless(groups, sameSubtree.flat());
  else checkOrphans(groups);
  const conflicts = groups.flatMap(({ suffix, traits }) => {
    const clauses = flattenClauses(traits);
    const forbidden = new Set(clauses.forbidden);
    const impossible = clauses.required.filter((names) => names.every((name) => forbidden.has(name)));
    return impossible.map((names) => `required${suffix}: (${names.toSorted().join(', ')})`);
  });
  if (conflicts.length > 0) {
    const found = conflicts.toSorted().join(', ');
    throw new RestError(400, `Conflicting required and forbidden traits found in the following traits keys: ${found}`);
  }
}

/** Since 1.36 a group in `same_subtree` may have no resources; it selects a provider without allocating from it. */
function checkResourceless(groups: readonly RequestGroup[], related: readonly string[]): void {
  const suffixes = groups.map(({ suffix }) => suffix);
  const resourceless = groups.filter(({ resources }) => resources.length === 0).map(({ suffix }) => suffix);
  if (resourceless.length === groups.length) {
    throw new RestError(400, 'There must be at least one resources or resources[$S] parameter.', { code: errorCodes.missingValue });
  }
  const [isKnown, isRelated] = [new Set(suffixes), new Set(related)];
  const alone = resourceless.filter((suffix) => !isRelated.has(suffix));
  if (alone.length > 0) {
    throw new RestError(
      400,
      `Resourceless suffixed group request should be specified in \`same_subtree\` query param: bad group(s) - ${pythonRepr(alone)}.`,
      { code: errorCodes.badValue },
    );
  }
  const unknown = related.filter((suffix) => !isKnown.has(suffix));
  if (unknown.length > 0) {
    throw new RestError(
      400,
      `Real suffixes should be specified in \`same_subtree\`: ${pythonRepr([...new Set(unknown)])} not found in ${pythonRepr(suffixes)}.`,
      { code: errorCodes.badValue },
    );
  }
}

/** Before 1.36 every group must request resources. */
function checkOrphans(groups: readonly RequestGroup[]): void {
  const without = groups.filter(({ resources }) => resources.length === 0);
  const keysOf = (name: string, orphans: readonly RequestGroup[]) =>
    orphans
      .map(({ suffix }) => `${name}${suffix}`)
      .toSorted()
      .join(', ');
  const traits = without.filter((group) => flattenClauses(group.traits).required.length > 0);
  if (traits.length > 0) {
    throw new RestError(
      400,
      `All traits parameters must be associated with resources.  Found the following orphaned traits keys: ${keysOf('required', traits)}`,
    );
  }
  const aggregates = without.filter((group) => group.aggregates.length > 0);
  if (aggregates.length > 0) {
    throw new RestError(
      400,
      `All member_of parameters must be associated with resources. Found the following orphaned member_of keys: ${keysOf('member_of', aggregates)}`,
    );
  }
  if (without.length > 0) throw new RestError(400, 'All request groups must specify resources.');
  if (groups.length === 0) {
    throw new RestError(400, 'At least one request group (`resources` or `resources{$S}`) is required.');
  }
}
