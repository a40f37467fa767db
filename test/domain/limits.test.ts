// Each limit is declared once, in domain/limits.ts. The code that limits callers reads it from there, and every declared limit is enforced.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { limitList, limits } from '../../src/domain/limits.ts';
import { readSourceFiles, withoutComments } from '../support/source-files.ts';

/** Bounds of the process itself, which callers cannot run into. */
const internal: Record<string, string> = {
  'src/domain/candidates/forest.ts: maxOrders': 'orders of trees that are kept up',
  'src/domain/candidates/ranked.ts: maxTreesInOrder': 'when a random sample of hosts is compared',
  'src/domain/candidates/ranked.ts: mostRefused': 'roots whose pools a rule for one turn refuses',
  'src/domain/candidates/request.ts: maxNamesShown': 'names in a sentence',
  'src/domain/candidates/sorted-numbers.ts: maxRun': 'how numbers are kept sorted',
  'src/domain/candidates/tree-list.ts: maxListsMergedAtOnce': 'how lists are merged',
  'src/domain/nearest.ts: mostSteps': 'how far a name may be from the one that is proposed',
  'src/graphql/audited.ts: maxFields': 'names in a line of the audit log',
  'src/nova/compute-nodes/deletion.ts: maxAttempts': 'attempts of a deletion while other writes change the consumers',
  'src/nova/flavors/guest-settings.ts: mostOfAny': 'as in Nova: the maximum of a topology of guests without one of its own',
  'src/nova/trees/tree-flush.ts: maxReportAttempts': 'attempts of a report while other writes change the tree',
  'src/nova/compute-nodes/untracked-use.ts: maxConsumers': 'consumers that stand for the use of an old record',
  'src/nova/instances/weighers.ts: maxPciDevices': 'as in Nova: the number of devices that are distinguished',
  'src/nova/numa/topology-fit.ts: maxWays': 'cells of a host that are tried for those of a guest: all pairs of 32',
  'src/nova/pci/pci-stats.ts: maxCombinations': 'combinations of cells of a host that are tried: all pairs of 32',
  'src/operations/candidates/claims.ts: mostRounds': 'as claimRounds, with those that find what a quota leaves',
  'src/operations/candidates/requests.ts: maxSeed': 'how wide a seed is',
  'src/operations/forest/forest.ts: maxStarts': 'tries of reading the forest',
};

const bounded = /^src\/(?:domain|operations|nova|graphql)\//;
const sources = readSourceFiles()
  .filter(({ path }) => path.startsWith('src/') && path !== 'src/domain/limits.ts' && !path.endsWith('.generated.ts'))
  .map((file) => ({ path: file.path, code: withoutComments(file) }));

/** Constants that are named like a limit but have a number of their own. */
function ownLimits(path: string, code: string): string[] {
  const declarations = code.matchAll(/\bconst ((?:most|longest|largest|max)[A-Z]\w*) = [\d(]/g);
  return [...declarations].map(([, name]) => `${path}: ${name}`);
}

test('no limit is declared elsewhere', () => {
  const found = sources.filter(({ path }) => bounded.test(path)).flatMap(({ path, code }) => ownLimits(path, code));
  expect(found.toSorted()).toEqual(Object.keys(internal).toSorted());
});

test('a limit declared elsewhere is detected', () => {
  expect(ownLimits('a.ts', 'const maxNodes = 1000;\nconst most = 3;\nconst maxPageSize = limits.pageSize;')).toEqual(['a.ts: maxNodes']);
});

/** Limits that only SQL functions enforce; test/db/writes/limits-in-sql.test.ts compares them. */
const inSql = new Set(['refusalsReported']);

test('every limit bounds something', () => {
  const contract = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const idle = limitList.filter(
    ({ name }) =>
      !inSql.has(name) &&
      !contract.includes(`limit: "${name}"`) &&
      !sources.some(({ code }) => new RegExp(`\\b(?:limits|declared)\\.${name}\\b`).test(code)),
  );
  expect(idle.map(({ name }) => name)).toEqual([]);
});

test('a limit is a positive number, with a unit in the plural and one sentence', () => {
  for (const { name, value, unit, meaning } of limitList) {
    expect(limits[name]).toBe(value);
    expect(value).toBeGreaterThan(0);
    expect(unit).toMatch(/s\b/);
    expect(meaning).toMatch(/^[A-Z`].*[^.]\.$/);
  }
});
