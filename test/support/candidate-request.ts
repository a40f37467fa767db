// A compact notation of requests for candidates in test tables, with the names of drawings (tree.ts):
//
//   VCPU:1,MEMORY_MB:512 +AVX -SSE @rack1  1=VF:1 +in(A,B) !@rack2  n=+NIC_ROOT  iso  sub(1,n)  root(FOO,!BAR,@zone)
//
// Resources, `+` required and `-` forbidden traits, `@` and `!@` aggregates and in_tree=<provider> belong to the group last named
// by `<suffix>=`, before the first one to the unsuffixed group. Only parses; the search interprets.
import type { CandidateRequest, RequestGroup } from '../../src/domain/candidates/request.ts';
import type { MembershipClause, ResourceAmount } from '../../src/domain/provider.ts';
import { uuidOf } from './seed.ts';
import { classNamed, traitNamed } from './tree.ts';

const words = String.raw`in\([^)]*\)|\w+`;
const piece = new RegExp(
  [
    String.raw`\s+`,
    String.raw`(?<policy>iso|none)\b`,
    String.raw`sub\((?<related>[^)]+)\)`,
    String.raw`root\((?<root>[^)]+)\)`,
    String.raw`in_tree=(?<inTrees>\w+(?:,\w+)*)`,
    String.raw`(?<suffix>\w+)=`,
    String.raw`(?<resourceClass>\w+):(?<amount>\d+),?`,
    `(?<traitSign>[+-])(?<traits>${words})`,
    `(?<aggregateSign>!?@)(?<aggregates>${words})`,
  ].join('|'),
  'y',
);

/** Parses a request; the rest has defaults: no limits, ordered by age. Throws on syntax errors. */
export function readRequest(text: string, rest: Partial<CandidateRequest> = {}): CandidateRequest {
  const groups: RequestGroup[] = [];
  const rootTraits: MembershipClause[] = [];
  const rootAggregates: MembershipClause[] = [];
  const sameSubtree: string[][] = [];
  let groupPolicy: CandidateRequest['groupPolicy'] = 'NONE';
  let suffix = '';
  const add = (change: (group: RequestGroup) => Partial<RequestGroup>) => {
    const at = groups.findIndex((group) => group.suffix === suffix);
    const group = groups[at] ?? { suffix, resources: [], traits: [], aggregates: [], inTrees: null };
    groups.splice(at < 0 ? groups.length : at, 1, { ...group, ...change(group) });
  };
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const from = piece.lastIndex;
    const found = piece.exec(text)?.groups;
    if (!found) throw new Error(`cannot read a request from ${text.slice(from)}`);
    if (found.policy) groupPolicy = found.policy === 'iso' ? 'ISOLATE' : 'NONE';
    else if (found.related) sameSubtree.push(found.related.split(','));
    else if (found.root) {
      for (const word of found.root.split(',')) (word.includes('@') ? rootAggregates : rootTraits).push(rootClause(word));
    } else if (found.suffix) {
      suffix = found.suffix;
      add(() => ({}));
    } else if (found.inTrees) add(() => ({ inTrees: (found.inTrees ?? '').split(',').map(uuidOf) }));
    else if (found.resourceClass) {
      const resource: ResourceAmount = { resourceClass: classNamed(found.resourceClass), amount: Number(found.amount) };
      add(({ resources }) => ({ resources: [...resources, resource] }));
    } else if (found.traits) {
      const clause = readClause(found.traitSign === '-', found.traits, traitNamed);
      add(({ traits }) => ({ traits: [...traits, clause] }));
    } else if (found.aggregates) {
      const clause = readClause(found.aggregateSign === '!@', found.aggregates, uuidOf);
      add(({ aggregates }) => ({ aggregates: [...aggregates, clause] }));
    }
  }
  return {
    groups,
    groupPolicy,
    rootTraits,
    rootAggregates,
    sameSubtree,
    limit: null,
    perRootLimit: null,
    order: [],
    ...rest,
  };
}

function rootClause(word: string): MembershipClause {
  const plain = word.replace('!', '');
  const name = plain.startsWith('@') ? uuidOf(plain.slice(1)) : traitNamed(plain);
  return word.startsWith('!') ? { noneOf: [name] } : { allOf: [name] };
}

function readClause(isForbidden: boolean, text: string, nameOf: (word: string) => string): MembershipClause {
  const isChoice = text.startsWith('in(');
  const names = (isChoice ? text.slice('in('.length, -1).split(',') : [text]).filter((name) => name !== '').map(nameOf);
  if (isForbidden) return { noneOf: names };
  return isChoice ? { anyOf: names } : { allOf: names };
}
