// Every way in which Nova moves an instance, each as one or two calls, and what the instance and its migration hold after each of them.
import { uuidOf } from './seed.ts';

/** The hosts of the moves: 8 VCPU and 16 GiB each. */
export const hostsOfMoves = ['cn1', 'cn2', 'cn3', 'cn4'];
export const plantOfMoves = hostsOfMoves.map((name) => `${name}  VCPU 8, MEMORY_MB 16384  COMPUTE_NODE`).join('\n');

const flavorOf = (vcpus: number) => ({ flavorToRequest: { flavor: { fields: { vcpus, memoryMb: 1024 } } } });
export const amountsOf = (vcpus: number) => ({ VCPU: vcpus, MEMORY_MB: 1024 });
export const parties = (name: string, move = `${name}-move`) => ({
  migrationRecord: { fields: { uuid: uuidOf(move), instance: uuidOf(name) } },
});
/** The start of a move of an instance that was written once. */
export const start = (name: string, move?: string) => ({ ...parties(name, move), expect: { generation: 1 } });
const fields = 'destinations { migration { uuid } selected { object candidate { root { name } } } }';

export type Mutation = readonly [mutation: string, input: object, fields?: string | undefined];

/** The search for another host, or for the first one. */
export const select = (name: string, vcpus: number, rest: object = {}, move: string | null = `${name}-move`): Mutation => [
  'selectDestinations',
  {
    instances: { instance: uuidOf(name), project: 'p1', user: 'u1', ...(move === null ? {} : { migration: uuidOf(move) }) },
    requestFrom: flavorOf(vcpus),
    alternates: 0,
    ...rest,
  },
  fields,
];
export const to = (...nodes: readonly string[]) => ({ onHosts: { only: nodes.map((node) => ({ node })) } });

/** A move: its calls, and what the instance (on cn1 with 2 VCPU) and its migration hold after each. */
interface Move {
  readonly called: string;
  readonly calls: readonly Mutation[];
  readonly after: readonly (readonly [instance: object, migration: object])[];
}
const hostedInstance = {
  instanceRecord: { fields: { uuid: uuidOf('vm'), project: 'p1', user: 'u1', flavor: { fields: { vcpus: 2, memoryMb: 1024 } } } },
};
export const source = { cn1: amountsOf(2) };
export const moves: readonly Move[] = [
  {
    called: 'a cold migration',
    calls: [select('vm', 2, to('cn1', 'cn2')), ['endMigration', { ...parties('vm'), outcome: 'CONFIRMED' }]],
    after: [
      [{ cn2: amountsOf(2) }, source],
      [{ cn2: amountsOf(2) }, {}],
    ],
  },
  {
    called: 'a live migration to a host that was selected before',
    calls: [
      select('probe', 2, to('cn3'), null),
      ['releaseAllocations', { consumers: [{ consumer: uuidOf('probe'), expect: { unchecked: true } }] }],
      select('vm', 2, to('cn3')),
      ['endMigration', { ...parties('vm'), outcome: 'CONFIRMED' }],
    ],
    after: [
      [source, {}],
      [source, {}],
      [{ cn3: amountsOf(2) }, source],
      [{ cn3: amountsOf(2) }, {}],
    ],
  },
  {
    called: 'a migration that fails and is reverted',
    calls: [select('vm', 2, to('cn2')), ['endMigration', { ...parties('vm'), outcome: 'REVERTED' }]],
    after: [
      [{ cn2: amountsOf(2) }, source],
      [source, {}],
    ],
  },
  {
    called: 'a resize to another host',
    calls: [select('vm', 4, to('cn2')), ['endMigration', { ...parties('vm'), outcome: 'CONFIRMED' }]],
    after: [
      [{ cn2: amountsOf(4) }, source],
      [{ cn2: amountsOf(4) }, {}],
    ],
  },
  {
    called: 'a resize on the same host, reverted',
    calls: [select('vm', 4, { ...to('cn1'), allowSource: true }), ['endMigration', { ...parties('vm'), outcome: 'REVERTED' }]],
    after: [
      [{ cn1: amountsOf(4) }, source],
      [source, {}],
    ],
  },
  {
    called: 'an evacuation whose failed host is cleared when it is back',
    calls: [
      ['startMigration', start('vm')],
      select('vm', 2, to('cn1', 'cn4')),
      ['endMigration', { ...parties('vm'), outcome: 'CONFIRMED' }],
    ],
    after: [
      [{}, source],
      [{ cn4: amountsOf(2) }, source],
      [{ cn4: amountsOf(2) }, {}],
    ],
  },
  {
    called: 'a shelving, which releases everything, and an unshelving',
    calls: [
      ['releaseAllocations', { consumers: [{ consumer: uuidOf('vm'), expect: { unchecked: true } }] }],
      select('vm', 2, to('cn3'), null),
    ],
    after: [
      [{}, {}],
      [{ cn3: amountsOf(2) }, {}],
    ],
  },
  {
    called: 'a rebuild, which keeps everything',
    calls: [['claimInstance', { hostedInstance, computeNode: uuidOf('cn1') }]],
    after: [[source, {}]],
  },
];
