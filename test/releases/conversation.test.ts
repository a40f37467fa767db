// Examination. The functions of this release answer whatever gateways of the last one send. RECORD_CONVERSATION=<file> writes what those of this one send (npm run release).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { latestRelease } from '../../tools/contract-changes.ts';
import { rows } from '../contract/replay/every-row.ts';
import { type Conversation, faultsOf, record, refusedStatements } from './conversation.ts';

const releases = new URL('../../releases/', import.meta.url);
const released = latestRelease(readdirSync(releases));
const target = process.env.RECORD_CONVERSATION;

/** Until there is a release, this one is its own predecessor. */
async function lastConversation(): Promise<Conversation> {
  if (released === null || target) return record(rows);
  return JSON.parse(readFileSync(new URL(`${released}/conversation.json`, releases), 'utf8')) as Conversation;
}

test('gateways of the last release are answered as by the functions of their own release', { timeout: 600_000 }, async () => {
  const { sessions, statements } = await lastConversation();
  if (target)
    writeFileSync(
      target,
      `{"sessions": [\n${sessions.map((session) => JSON.stringify(session)).join(',\n')}\n], "statements": ${JSON.stringify(statements, null, 1)}}\n`,
    );
  const faults: string[] = [];
  for (const session of sessions)
    for (const fault of await faultsOf(session)) faults.push(`${session.mutation}, ${session.sentence}: ${fault}`);
  expect(faults).toEqual([]);
  expect(await refusedStatements(statements)).toEqual([]);
  expect(new Set(sessions.map(({ mutation }) => mutation)).size).toBeGreaterThan(25);
});
