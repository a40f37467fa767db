// Examination. Writes of consumers that share a call: new ones, resizes, moves and releases, mixed, leave what the same writes leave one by one.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/sql/client.ts';
import { applyWrite } from '../../../src/db/writes/apply-write.ts';
import { answersOf, joinClaims, partsDone } from '../../../src/db/writes/claim-batch.ts';
import { claimOf, type SharableClaim } from '../../../src/db/writes/claims.ts';
import { type AllocationsAnswer, type DesiredConsumer, isRefused } from '../../../src/db/writes/contract.ts';
import { submitWrite } from '../../../src/db/writes/submit-write.ts';
import { replaceQuotas } from '../../../src/operations/allocations/quotas.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Dice, freshDice } from '../../support/dice.ts';
import { expectSoundLedger, scopeOf } from '../../support/ledger.ts';
import { createSeed, uuidOf } from '../../support/seed.ts';

/** The same cloud twice: one is written to together, the other one by one. */
let together: TestDatabase;
let alone: TestDatabase;
beforeEach(async () => {
  [together, alone] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  for (const { db } of [together, alone]) {
    const seed = createSeed(db);
    for (const host of hosts)
      await seed.provider(host, { inventories: { VCPU: { total: 12, maxUnit: 8 }, DISK_GB: { total: 40, stepSize: 2 } } });
    await seed.claim('first', { cn1: { VCPU: 1 } }, { project: 'p1' });
    await seed.claim('second', { cn2: { VCPU: 1 } }, { project: 'p2', type: 'MIGRATION' });
  }
});
afterEach(async () => {
  await Promise.all([together.drop(), alone.drop()]);
});

const hosts = ['cn0', 'cn1', 'cn2', 'cn3'];
const nobody = { user: null, project: null, roles: [], requestId: '' };

interface Held {
  readonly uuid: string;
  readonly generation: number;
  readonly allocations: DesiredConsumer['allocations'];
}

const on = (host: string, VCPU: number, DISK_GB = 0): DesiredConsumer['allocations'] => [
  { provider: uuidOf(host), resourceClass: 'VCPU', amount: VCPU },
  ...(DISK_GB > 0 ? [{ provider: uuidOf(host), resourceClass: 'DISK_GB', amount: DISK_GB }] : []),
];

/** The parts of random calls about consumers, each of which is named once. */
function* randomParts(roll: Dice, round: number, held: readonly Held[]): Generator<SharableClaim> {
  const idle = [...held];
  const taken = () => idle.splice(roll(idle.length), 1)[0];
  for (let index = 0; index < 3 + roll(9); index++) {
    const call = { by: { user: `u${roll(2)}`, project: 'p0', roles: ['admin'], requestId: `req-${round}-${index}` } };
    const owner = {
      project: `p${1 + roll(2)}`,
      user: `u${roll(2)}`,
      ...(roll(3) === 0 ? { keepType: true } : { type: 'INSTANCE', keepType: false }),
    };
    const host = () => hosts[roll(hosts.length)] as string;
    const amounts = () => on(host(), 1 + roll(roll(6) === 0 ? 9 : 4), roll(2) * (2 + roll(9)));
    const fresh = (name: string) => ({
      uuid: uuidOf(`${round} ${index} ${name}`),
      expect: { isNew: true as const },
      ...owner,
      type: 'INSTANCE',
    });
    const part = (consumers: readonly DesiredConsumer[], more: { keepGenerations?: boolean; hasQuotas?: true } = {}) => {
      const operation = more.keepGenerations ? ('release_allocations' as const) : ('replace_allocations' as const);
      return claimOf(operation, { consumers, ...more, ...(roll(2) === 0 && !more.keepGenerations && { hasQuotas: true as const }) }, call);
    };
    const one = roll(5) === 0 ? undefined : taken();
    const generation = one && (roll(12) === 0 ? one.generation + 1 : one.generation);
    const write = () => {
      if (!one || generation === undefined) {
        const names = ['a', 'b'].slice(0, 1 + roll(2));
        return part(names.map((name) => ({ ...fresh(name), allocations: roll(15) === 0 ? on('nowhere', 1) : amounts() })));
      }
      const existing = { uuid: one.uuid, expect: { generation }, ...owner };
      const another = roll(4) === 0 ? taken() : undefined;
      switch (roll(6)) {
        case 0:
          return part([{ uuid: one.uuid, expect: {}, allocations: [] }], { keepGenerations: true });
        case 1:
          return part([{ ...existing, allocations: [] }]);
        case 2:
          return part([{ ...existing, allocations: amounts() }]);
        case 3:
          return part([
            { ...existing, allocations: one.allocations.map((row) => ({ ...row, amount: Math.max(1, row.amount + roll(5) - 2) })) },
          ]);
        case 4:
          return part([
            { ...fresh('migration'), type: 'MIGRATION', allocations: one.allocations },
            { ...existing, allocations: amounts() },
          ]);
        default:
          return part([
            { ...existing, allocations: another?.allocations ?? amounts() },
            ...(another ? [{ ...owner, uuid: another.uuid, expect: { generation: another.generation }, allocations: [] }] : []),
          ]);
      }
    };
    const made = write();
    if (made) yield made;
  }
}

const onlyReleases = ({ consumers }: SharableClaim) => consumers.every(({ allocations }) => allocations.length === 0);

async function writeTogether(db: Db, parts: readonly SharableClaim[]) {
  const request = joinClaims(parts);
  const answer = await applyWrite(db, 'claim_together', request, { by: nobody });
  if (isRefused(answer)) return { apart: parts.map((_, place) => place), answers: [] };
  return { apart: answer.apart, answers: answersOf(partsDone(request.parts, answer.apart), answer) };
}

const writeAlone = (db: Db, { operation, request, call }: SharableClaim) => applyWrite(db, operation, request, call);

/** An answer without what differs between two databases. */
const plain = ({ consumers, providers, classIds, touched }: AllocationsAnswer) => ({
  consumers: consumers.map((consumer) => consumer && { ...consumer, id: 0, createdAt: '', updatedAt: '' }),
  providers: providers.map(({ uuid, generation }) => ({ uuid, generation })).toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
  unnamed: consumers
    .flatMap((consumer) => consumer?.allocations ?? [])
    .filter(({ resourceClass }) => classIds[resourceClass] === undefined),
  touched,
});

const heldIn = ({ db }: TestDatabase) => db.sql<Held[]>`
  select c.uuid, c.generation::int as generation, json_agg(json_build_object('provider', p.uuid, 'resourceClass', r.name, 'amount', a.used) order by p.name, r.name) as allocations
  from consumers c join allocations a on a.consumer_id = c.id join resource_providers p on p.id = a.resource_provider_id
  join resource_classes r on r.id = a.resource_class_id group by c.id order by c.uuid`;

/** Everything that both databases must have in common. */
async function contentsOf({ db }: TestDatabase) {
  return {
    consumers: await db.sql`
      select c.uuid, c.generation::int as generation, p.external_id as project, u.external_id as "user", t.name as type
      from consumers c join projects p on p.id = c.project_id join users u on u.id = c.user_id left join consumer_types t on t.id = c.consumer_type_id order by c.uuid`,
    held: [...(await heldIn({ db } as TestDatabase))],
    providers: await db.sql`
      select p.name, p.generation::int as generation, i.used::int as used from resource_providers p join inventories i on i.resource_provider_id = p.id
      order by p.name, i.resource_class_id`,
    quotas: await db.sql`select used::int as used, most::int as most from quota_uses order by id`,
    events: await db.sql`
      select kind, request_id, user_external_id, array(select unnest(consumer_uuids) order by 1) as consumers, array(select unnest(provider_uuids) order by 1) as providers, changes
      from events e where request_id like 'req-%-%' order by e.id`,
    subjects: await db.sql`
      select e.request_id, s.subject from event_subjects s join events e on e.id = s.event_id where e.request_id like 'req-%-%' order by 1, 2`,
  };
}

async function play(name: string, rounds: number): Promise<Readonly<Record<'shared' | 'apart' | 'refused', number>>> {
  const roll = freshDice(name);
  const counts = { shared: 0, apart: 0, refused: 0 };
  for (let round = 0; round < rounds; round++) {
    const made = [...randomParts(roll, round, await heldIn(together))];
    const parts = [...made.filter(onlyReleases), ...made.filter((part) => !onlyReleases(part))];
    if (parts.length === 0) continue;
    const { apart, answers } = await writeTogether(together.db, parts);
    const done = parts.filter((_, place) => !apart.includes(place));
    counts.shared += done.length;
    for (const [nth, part] of done.entries()) {
      const answer = await writeAlone(alone.db, part);
      if (isRefused(answer)) throw new Error(`alone, the part was refused: ${JSON.stringify([part.request, answer])}`);
      expect(plain(answers[nth] as AllocationsAnswer)).toEqual(plain(answer));
    }
    for (const place of apart) {
      const part = parts[place] as SharableClaim;
      const [one, other] = [await writeAlone(together.db, part), await writeAlone(alone.db, part)];
      if (isRefused(one) || isRefused(other)) expect(one).toEqual(other);
      else expect(plain(one)).toEqual(plain(other));
      counts[isRefused(one) ? 'refused' : 'apart']++;
    }
    expect(await contentsOf(together)).toEqual(await contentsOf(alone));
  }
  for (const { db } of [together, alone]) await expectSoundLedger(db);
  return counts;
}

test('random writes that share calls leave what they leave one by one, and few that succeed are tried alone', async () => {
  const { shared, apart, refused } = await play('mixed', 60);
  expect(Math.min(shared, refused)).toBeGreaterThan(20);
  expect(apart).toBeLessThan(shared / 4);
});

test('so do they beside quotas of projects and of zones', async () => {
  const zone = uuidOf('zone');
  for (const { db } of [together, alone]) {
    const seed = createSeed(db);
    for (const host of hosts.slice(2)) await seed.aggregates(host, ['zone']);
    const quotas = [{ amount: 7 }, { resourceClass: 'VCPU', amount: 18 }, { resourceClass: 'DISK_GB', aggregate: zone, amount: 20 }];
    for (const project of ['p1', 'p2']) await replaceQuotas(scopeOf(db), { project, quotas, expect: { unchecked: true } });
  }
  const { shared, refused } = await play('mixed within quotas', 60);
  expect(Math.min(shared, refused)).toBeGreaterThan(20);
});

describe('through the queue', () => {
  const caller = { by: { user: 'u1', project: 'p1', roles: [], requestId: 'req-queue' } };
  const owner = { project: 'p1', user: 'u1', type: 'INSTANCE', keepType: false };
  const submit = (operation: 'replace_allocations' | 'release_allocations', consumers: readonly DesiredConsumer[], more = {}) =>
    submitWrite(together.db, operation, { consumers, ...more }, caller);

  test('what a release frees is there for a claim that arrives before it, in the same call', async () => {
    const { db } = together;
    await submit('replace_allocations', [{ uuid: uuidOf('large'), expect: { isNew: true }, ...owner, allocations: on('cn0', 8) }]);
    await submit('replace_allocations', [{ uuid: uuidOf('small'), expect: { isNew: true }, ...owner, allocations: on('cn0', 4) }]);
    const answers = await Promise.all([
      submit('replace_allocations', [{ uuid: uuidOf('busy'), expect: { isNew: true }, ...owner, allocations: on('cn1', 1) }]),
      submit('replace_allocations', [{ uuid: uuidOf('next'), expect: { isNew: true }, ...owner, allocations: on('cn0', 8) }]),
      submit('release_allocations', [{ uuid: uuidOf('large'), expect: {}, allocations: [] }], { keepGenerations: true }),
    ]);
    expect(answers.filter(isRefused)).toEqual([]);
    const kinds = await db.sql<{ kind: string }[]>`select kind from events order by id desc limit 2`;
    expect(kinds.map(({ kind }) => kind)).toEqual(['REPLACE_ALLOCATIONS', 'RELEASE_ALLOCATIONS']);
    await expectSoundLedger(db);
  });

  test('a consumer that others have locked holds up nobody else, also behind a locked provider', async () => {
    const { own } = together;
    const [stuck, provider] = [await own.reserve(), await own.reserve()];
    try {
      await stuck`begin`;
      await stuck`select from consumers where uuid = ${uuidOf('second')} for no key update`;
      await provider`begin`;
      await provider`select from resource_providers where name = 'cn1' for no key update`;
      const others = Promise.all(
        ['a', 'b', 'c'].map((name) =>
          submit('replace_allocations', [{ uuid: uuidOf(name), expect: { isNew: true }, ...owner, allocations: on('cn1', 1) }]),
        ),
      );
      const second = submit('replace_allocations', [
        { uuid: uuidOf('second'), expect: { generation: 1 }, ...owner, allocations: on('cn1', 1) },
      ]);
      await expect
        .poll(() => own`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
        .not.toHaveLength(0);
      await provider`commit`;
      expect((await others).filter(isRefused)).toEqual([]);
      await stuck`commit`;
      expect(await second).toHaveProperty('eventId');
    } finally {
      stuck.release();
      provider.release();
    }
  });

  test('writes of one consumer that are sent at once happen in the order in which they were sent', async () => {
    const { db } = together;
    const lives = Array.from({ length: 20 }, async (_, index) => {
      const uuid = uuidOf(`life ${index}`);
      const host = (shift: number) => hosts[(index + shift) % hosts.length] as string;
      const migration = { uuid: uuidOf(`migration ${index}`), ...owner, type: 'MIGRATION' };
      const answers = await Promise.all([
        submit('replace_allocations', [{ uuid, expect: { isNew: true }, ...owner, allocations: on(host(0), 1) }]),
        submit('replace_allocations', [{ uuid, expect: { generation: 1 }, ...owner, allocations: on(host(0), 1, 2) }]),
        submit('replace_allocations', [
          { ...migration, expect: { isNew: true }, allocations: on(host(0), 1, 2) },
          { uuid, expect: { generation: 2 }, ...owner, allocations: on(host(1), 1) },
        ]),
        submit('release_allocations', [{ uuid: migration.uuid, expect: {}, allocations: [] }], { keepGenerations: true }),
        submit('replace_allocations', [{ uuid, expect: { generation: 3 }, ...owner, allocations: [] }]),
      ]);
      return answers.filter(isRefused);
    });
    expect((await Promise.all(lives)).flat()).toEqual([]);
    await expectSoundLedger(db);
  });
});
