// The rows of all mutations, by noun.
import { rowsOfAllocations, rowsOfTrees } from './of-allocations.ts';
import { rowsOfInstances } from './of-instances.ts';
import { rowsOfNames, rowsOfProviders } from './of-providers.ts';
import { rowsOfReports } from './of-reports.ts';
import type { Row } from './row.ts';

export const rows: readonly Row[] = [
  ...rowsOfProviders,
  ...rowsOfNames,
  ...rowsOfAllocations,
  ...rowsOfTrees,
  ...rowsOfReports,
  ...rowsOfInstances,
];
