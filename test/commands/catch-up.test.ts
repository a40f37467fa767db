// Examination. Following a Placement that keeps changing: another gateway of ours, over the REST API that it shares with upstream's, while anything is
// written to it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runAudit } from '../../src/commands/audit.ts';
import { runImport } from '../../src/commands/import.ts';
import { createTestDatabase, type TestDatabase, useDatabase } from '../support/database.ts';
import { freshDice } from '../support/dice.ts';
import { writeAtRandom } from '../support/random-writes.ts';
import { useRest } from '../support/rest.ts';

const there = useDatabase();
const rest = useRest(there);
let here: TestDatabase;
beforeEach(async () => {
  here = await createTestDatabase();
});
afterEach(() => here.drop());

const importThere = (options = {}) => runImport(here.db, { url: rest.url, token: async () => 'admin', report: () => {}, ...options });

test.each([1, 2, 3])('everything written during an import and between passes arrives in the end (history %i)', async (number) => {
  const roll = freshDice(`history ${number}`);
  const writeThere = async (writes: number) => {
    for (let n = 0; n < writes; n++) await writeAtRandom(there.db, roll);
  };
  await writeThere(150);
  await Promise.all([importThere({ verifies: false }), writeThere(60)]);
  await Promise.all([importThere({ catchUp: true, verifies: false }), writeThere(30)]);
  // The writers are stopped.
  const told: string[] = [];
  const { differences, behind } = await importThere({ catchUp: true, report: (line: string) => told.push(line) });
  expect({ differences, behind }, told.join('\n')).toEqual({ differences: 0, behind: 0 });
  expect(await runAudit(here.db, () => {})).toMatchObject({ differences: 0 });
});
