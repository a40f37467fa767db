// Examination. Random histories of calls with keys, some repeated immediately, later, or concurrently on different gateways, between writes of
// others: each key is written once and always gets the same answer, and refusals are not stored. Checked against a model in memory.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openDatabase } from '../../../src/db/sql/client.ts';
import { useDatabase } from '../../support/database.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { countEvents, expectSoundLedger } from '../../support/ledger.ts';
import { createModel, type Operation } from '../../support/ledger-model.ts';
import { readLedgerState } from '../../support/ledger-state.ts';
import { createWriter, isNew, type Payload, unchecked } from '../../support/mutations.ts';
import { uuidOf } from '../../support/seed.ts';

const database = useDatabase();
let otherDb: Db;
let gateways: readonly [Gateway, Gateway];

beforeAll(async () => {
  otherDb = openDatabase(database.target);
  gateways = [await startGateway(database, 'jit'), await startGateway({ db: otherDb }, 'graphql-js')];
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await otherDb.close();
});

const hosts = ['cn0', 'cn1', 'cn2'];
const servers = ['a', 'b', 'c'];

const anyHost = fc.constantFrom(...hosts);
const anyServer = fc.constantFrom(...servers);
/** Most calls expect the current generation. */
const isAsExpected = fc.constantFrom(true, true, true, false);
const anyWish = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), provider: anyHost }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), provider: anyHost }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stock' as const), provider: anyHost, total: fc.integer({ min: 1, max: 9 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      ...{ consumer: anyServer, isAsExpected },
      held: fc.dictionary(anyHost, fc.integer({ min: 1, max: 4 }), { maxKeys: 2, noNullPrototype: true }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('search' as const), consumer: anyServer, amount: fc.integer({ min: 1, max: 4 }) }),
  },
);
type Wish = typeof anyWish extends fc.Arbitrary<infer Value> ? Value : never;

const anyTurn = fc.oneof(
  { weight: 4, arbitrary: fc.record({ turn: fc.constant('call' as const), wish: anyWish, senders: fc.constantFrom(1, 1, 2, 4) }) },
  { weight: 3, arbitrary: fc.record({ turn: fc.constant('resend' as const), which: fc.nat(), senders: fc.constantFrom(1, 2) }) },
  { weight: 3, arbitrary: fc.record({ turn: fc.constant('others' as const), wish: anyWish }) },
  { weight: 1, arbitrary: fc.record({ turn: fc.constant('misuse' as const), which: fc.nat() }) },
);
type Turn = typeof anyTurn extends fc.Arbitrary<infer Value> ? Value : never;

type State = ReturnType<ReturnType<typeof createModel>['state']>;

/** A mutation, and its effect on the ledger; a search is done for the consumer that the model finds. */
interface Call {
  readonly mutation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly fields: string;
  readonly operationIn: (state: State) => Operation | 'NO_CANDIDATES';
}

const held = '{ uuid generation allocations { amount resourceProvider { name generation } } }';

/** A wish as a call; `run` makes its names unique to one run. */
function callOf(wish: Wish, run: string, { consumers }: State): Call {
  const uuid = (name: string) => uuidOf(run + name);
  const owner = { project: 'p1', user: 'u1' };
  if (wish.do === 'search') {
    const { consumer, amount } = wish;
    const group = { resources: [{ resourceClass: 'VCPU', amount }] };
    return {
      mutation: 'claim',
      input: { consumers: [{ consumer: uuid(consumer), expect: isNew, ...owner }], request: { groups: [group] }, alternates: 1 },
      fields: `claims { consumer ${held} candidate { claimToken root { name generation } } alternateCandidates { claimToken root { name generation } } }`,
      operationIn: ({ providers }) => {
        const [first] = Object.entries(providers).find(([, { capacity, used }]) => (capacity ?? 0) - (used ?? 0) >= amount) ?? [];
        if (first === undefined) return 'NO_CANDIDATES';
        return { do: 'claim', consumers: [{ consumer, generation: null, held: { [first]: amount } }] };
      },
    };
  }
  if (wish.do === 'hold') {
    const { consumer, held: wanted, isAsExpected: isRight } = wish;
    const current = consumers[consumer]?.generation ?? null;
    const generation = isRight ? current : (current ?? 0) + 1;
    const allocations = Object.entries(wanted).map(([provider, amount]) => ({
      resourceProvider: uuid(provider),
      resources: [{ resourceClass: 'VCPU', amount }],
    }));
    const expectation = generation === null ? isNew : { generation };
    return {
      mutation: 'replaceAllocations',
      input: { consumers: [{ consumer: uuid(consumer), expect: expectation, hold: { allocations }, ...owner }] },
      fields: `consumers ${held} resourceProviders { name generation }`,
      operationIn: () => ({ do: 'claim', consumers: [{ consumer, generation, held: wanted }] }),
    };
  }
  const { provider } = wish;
  const at = { resourceProvider: uuid(provider), expect: unchecked };
  if (wish.do === 'create') {
    return {
      mutation: 'createResourceProvider',
      input: { uuid: uuid(provider), name: run + provider },
      fields: 'resourceProvider { uuid name generation }',
      operationIn: () => ({ do: 'create', provider, parent: null }),
    };
  }
  if (wish.do === 'delete') {
    const operationIn = () => ({ do: 'delete', provider, generation: undefined }) as const;
    return { mutation: 'deleteResourceProvider', input: at, fields: 'deletedId', operationIn };
  }
  const inventory = { total: wish.total, reserved: 0, minUnit: 1, maxUnit: 9, stepSize: 1, allocationRatio: 1 };
  return {
    mutation: 'replaceInventories',
    input: { ...at, inventories: [{ resourceClass: 'VCPU', ...inventory }] },
    fields: 'resourceProvider { name generation inventories { total used capacity } } warnings { message }',
    operationIn: () => ({ do: 'stock', provider, inventory, generation: undefined }),
  };
}

/** One run: the calls, the answers and the state. */
class History {
  readonly model = createModel();
  readonly sent: { readonly call: Call; readonly key: string; answer: Payload | null }[] = [];
  readonly run: string;
  events = 0;
  constructor(run: string) {
    this.run = run;
  }

  callOf(wish: Wish): Call {
    return callOf(wish, this.run, this.model.state());
  }

  /** The same call by some senders at once, in turns through both gateways. */
  async send({ mutation, input, fields }: Call, senders: number, key?: string): Promise<Payload[]> {
    const keyed = key === undefined ? input : { ...input, idempotencyKey: `${this.run}${key}` };
    const by = Array.from({ length: senders }, (_, index) => gateways[(index + this.sent.length) % 2] as Gateway);
    return Promise.all(by.map((gateway) => createWriter(gateway, database).write(mutation, keyed, `${fields} replayed event { id kind }`)));
  }

  /** Sends a call that has no answer yet from several senders: one of them has it done, if possible. Returns the stored answer. */
  async sendNew(call: Call, senders: number, key?: string): Promise<Payload | null> {
    const operation = call.operationIn(this.model.state());
    const expected = operation === 'NO_CANDIDATES' ? operation : this.model.apply(operation);
    const answers = await this.send(call, senders, key);
    if (expected !== null) {
      for (const { userErrors, event } of answers) expect([userErrors[0]?.code, event]).toEqual([expected, null]);
      return null;
    }
    const first = answers.find(({ replayed }) => !replayed);
    expect(first?.userErrors).toEqual([]);
    this.events += first?.event === null ? 0 : 1;
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    for (const answer of answers) expect({ ...answer, replayed: true }).toEqual({ ...first, replayed: true });
    return first ?? null;
  }
}

/** A history in which each kind of call is done and sent again, one is refused and done later, and one is refused for ever. */
const everything: Turn[] = [
  { turn: 'call', wish: { do: 'create', provider: 'cn2' }, senders: 2 },
  { turn: 'resend', which: 0, senders: 1 },
  { turn: 'call', wish: { do: 'delete', provider: 'cn2' }, senders: 1 },
  { turn: 'others', wish: { do: 'create', provider: 'cn2' } },
  { turn: 'resend', which: 1, senders: 2 },
  { turn: 'call', wish: { do: 'stock', provider: 'cn0', total: 4 }, senders: 1 },
  { turn: 'call', wish: { do: 'hold', consumer: 'a', isAsExpected: true, held: { cn0: 4 } }, senders: 4 },
  { turn: 'resend', which: 2, senders: 1 },
  { turn: 'call', wish: { do: 'hold', consumer: 'b', isAsExpected: true, held: { cn0: 1 } }, senders: 1 },
  { turn: 'resend', which: 4, senders: 2 },
  { turn: 'others', wish: { do: 'stock', provider: 'cn0', total: 9 } },
  { turn: 'resend', which: 4, senders: 2 },
  { turn: 'resend', which: 4, senders: 1 },
  { turn: 'call', wish: { do: 'search', consumer: 'c', amount: 4 }, senders: 4 },
  { turn: 'others', wish: { do: 'hold', consumer: 'c', isAsExpected: true, held: {} } },
  { turn: 'resend', which: 5, senders: 2 },
  { turn: 'call', wish: { do: 'search', consumer: 'a', amount: 1 }, senders: 2 },
  { turn: 'misuse', which: 3 },
];

/** The situations that the histories met: the test means something only if they met all of them. */
const met = new Set<string>();

test('each key is written once and always gets the same answer afterwards, and a refusal is not stored', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyTurn, { minLength: 30, maxLength: 30 }), async (steps) => {
      const history = new History(`run ${runs++}: `);
      const { sent } = history;
      const before = await countEvents(database.db);
      // There is something to claim from the first step on.
      for (const provider of hosts.slice(0, 2)) {
        await history.sendNew(history.callOf({ do: 'create', provider }), 1);
        await history.sendNew(history.callOf({ do: 'stock', provider, total: 6 }), 1);
      }
      for (const one of steps) {
        if (one.turn === 'others') await history.sendNew(history.callOf(one.wish), 1);
        else if (one.turn === 'call') {
          const key = `key ${sent.length}`;
          const call = history.callOf(one.wish);
          const answer = await history.sendNew(call, one.senders, key);
          sent.push({ call, key, answer });
          met.add(`${call.mutation} ${answer ? 'done' : 'refused'}`);
        } else {
          const earlier = sent[one.which % Math.max(sent.length, 1)];
          if (!earlier) continue;
          const { call, key, answer } = earlier;
          if (one.turn === 'misuse') {
            if (!answer) continue;
            const [refused] = await history.send({ ...call, input: { ...call.input, ...otherInput[call.mutation] } }, 1, key);
            expect(refused?.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
          } else if (answer) {
            met.add(`${call.mutation} again`);
            for (const again of await history.send(call, one.senders, key)) expect(again).toEqual({ ...answer, replayed: true });
          } else {
            earlier.answer = await history.sendNew(call, one.senders, key);
            met.add(earlier.answer ? 'done after a refusal' : 'refused again');
          }
        }
        expect(await countEvents(database.db)).toBe(before + history.events);
      }
      expect(await readLedgerState(database.db, history.run, servers)).toEqual(history.model.state());
      await clear(history.run);
    }),
    { numRuns: 8, endOnFailure: true, examples: [[everything]] },
  );
  await expectSoundLedger(database.db);
  const mutations = Object.keys(otherInput);
  expect([...met]).toEqual(
    expect.arrayContaining([
      ...mutations.map((mutation) => `${mutation} again`),
      'replaceAllocations refused',
      'claim refused',
      'done after a refusal',
      'refused again',
    ]),
  );
});

/** A change that makes a call a different one, by mutation. */
const otherInput: Readonly<Record<string, object>> = {
  claim: { alternates: 2 },
  replaceAllocations: { consumers: [{ consumer: uuidOf('another'), expect: isNew, hold: { allocations: [] } }] },
  createResourceProvider: { name: 'another' },
  deleteResourceProvider: { expect: { generation: 99 } },
  replaceInventories: { inventories: [] },
};

/** Removes what a run left, so that the next one finds only its own. */
async function clear(run: string): Promise<void> {
  const { write } = createWriter(gateways[0], database);
  const left = await database.db.sql<{ uuid: string }[]>`select uuid from consumers`;
  const consumers = left.map(({ uuid }) => ({ consumer: uuid, expect: unchecked }));
  if (consumers.length > 0) await write('releaseAllocations', { consumers });
  for (const host of hosts) await write('deleteResourceProvider', { resourceProvider: uuidOf(run + host), expect: unchecked });
}
