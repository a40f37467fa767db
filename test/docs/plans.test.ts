// docs/plans.md is true: its documents are sent in order to a gateway in front of the cloud that the page describes, and the answers contain what it shows.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../src/nova/objects/forms/fields.ts';
import { useDatabase } from '../support/database.ts';
import { blocksOf, holds, within } from '../support/documents.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { dumpTables, expectSoundLedger } from '../support/ledger.ts';
import { createSeed } from '../support/seed.ts';
import { plantTrees } from '../support/tree.ts';

const database = useDatabase();
const page = readFileSync(new URL('../../docs/plans.md', import.meta.url), 'utf8');
let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway(database, 'jit');
  await plantTrees(
    database.db,
    `
    cn1      VCPU 16, MEMORY_MB 32768     COMPUTE_NODE    @storage
      gpu1   VGPU 2
    cn2      VCPU 16, MEMORY_MB 32768     COMPUTE_NODE    @storage
    cn3      VCPU 16, MEMORY_MB 32768     COMPUTE_NODE    @storage
    nfs      DISK_GB 1000                 SHARING         @storage
    `,
  );
  const seed = createSeed(database.db);
  await seed.claim('web', { cn1: { VCPU: 4, MEMORY_MB: 8192 }, nfs: { DISK_GB: 20 } });
  await seed.claim('gpu vm', { cn1: { VCPU: 2, MEMORY_MB: 4096 }, gpu1: { VGPU: 1 }, nfs: { DISK_GB: 10 } });
  await seed.claim('db', { cn2: { VCPU: 8, MEMORY_MB: 16_384 }, nfs: { DISK_GB: 100 } });
});
afterAll(() => gateway.close());

test('every document of the page runs as written and answers what the page says; queries write nothing', async () => {
  const tokens = new Map<string, string>();
  let answer: Json = null;
  let ran = 0;
  for (const { language, text } of blocksOf(page)) {
    if (language === 'json') {
      const said = JSON.parse(text) as Json;
      expect(said).not.toEqual({});
      const isFound = [...within(answer)].some((value) => holds(said, value, tokens));
      expect(isFound ? said : { said, answered: answer }).toEqual(said);
      continue;
    }
    const before = await dumpTables(database.db);
    answer = await gateway.data<Record<string, Json>>(text.replace(/c1\.\w+…/g, (short) => tokens.get(short) ?? short));
    if (text.startsWith('query')) expect(await dumpTables(database.db)).toEqual(before);
    for (const value of within(answer)) {
      if (typeof value === 'object' && value !== null && 'userErrors' in value) expect(value).toMatchObject({ userErrors: [] });
    }
    ran++;
  }
  expect(ran).toBe(6);
  await expectSoundLedger(database.db);
});
