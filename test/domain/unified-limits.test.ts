// What limits of Keystone say as quotas.
import { describe, expect, test } from 'vitest';
import { areSameQuotas, quotasOfLimits, subjectOfLimit, type UnifiedLimit } from '../../src/domain/unified-limits.ts';

const classes = new Set(['VCPU', 'MEMORY_MB', 'CUSTOM_X']);
const of = (resourceName: string, amount: number, owner: string | null = null): UnifiedLimit => ({ resourceName, amount, owner });
const flat = new Map<string, string>();
/** In one piece. */
function read(limits: readonly UnifiedLimit[], domains: ReadonlyMap<string, string> = flat) {
  const work = quotasOfLimits({ limits, domains }, classes);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
/** The quotas by project, in their order, as words. */
const words = (limits: readonly UnifiedLimit[], domains: ReadonlyMap<string, string> = flat) =>
  [...read(limits, domains).wanted].map(
    ([project, { parent, quotas }]) =>
      `${project}${parent === null ? '' : ` below ${parent}`}: ${quotas.map((q) => `${q.resourceClass ?? q.consumerType} ${q.amount}`).join(', ')}`,
  );
const quota = (resourceClass: string | null, amount: number | null, consumerType: string | null = null) => ({
  ...{ user: null, consumerType, resourceClass, amount },
});

describe('a limit', () => {
  test.each([
    ['class:VCPU', { user: null, consumerType: null, resourceClass: 'VCPU' }],
    ['class:CUSTOM_X', { user: null, consumerType: null, resourceClass: 'CUSTOM_X' }],
    ['servers', { user: null, consumerType: 'INSTANCE', resourceClass: null }],
  ])('%s is about what consumers hold', (name, subject) => expect(subjectOfLimit(name)).toEqual(subject));

  test.each(['server_key_pairs', 'server_groups', 'cores', 'class:', 'class:vcpu', 'class:A B', 'VCPU', 'Servers', ''])(
    '%j is not',
    (name) => expect(subjectOfLimit(name)).toBeNull(),
  );

  test('of -1 is no bound, for one project and for all; 0 is one', () => {
    expect(words([of('class:VCPU', -1), of('class:MEMORY_MB', 0), of('class:VCPU', -1, 'p'), of('servers', 0, 'p')])).toEqual([
      'p: VCPU null, INSTANCE 0',
      'null: VCPU null, MEMORY_MB 0',
    ]);
  });

  test('of something else, or of a class that does not exist, is ignored and named once', () => {
    const limits = [of('server_groups', 5), of('class:CUSTOM_NONE', 5), of('class:VCPU', 1), of('server_groups', 6, 'p')];
    expect(read(limits).ignored).toEqual(['class:CUSTOM_NONE', 'server_groups']);
    expect(words(limits)).toEqual(['null: VCPU 1']);
  });
});

describe('quotas', () => {
  test('come for each project in the order of its limits, and the defaults last', () => {
    const limits = [
      of('servers', 3),
      of('class:VCPU', 8),
      of('class:VCPU', 20, 'q'),
      of('class:MEMORY_MB', 9, 'p'),
      of('class:VCPU', 1, 'p'),
    ];
    expect(words(limits)).toEqual(['q: VCPU 20', 'p: MEMORY_MB 9, VCPU 1', 'null: INSTANCE 3, VCPU 8']);
  });

  test('of two levels: all projects are below their domains, and the quotas of domains come first', () => {
    const limits = [of('class:VCPU', 8), of('class:VCPU', 2, 'p'), of('class:VCPU', 50, 'dom')];
    const domains = new Map([
      ['p', 'dom'],
      ['q', 'dom'],
      ['r', 'other'],
    ]);
    expect(words(limits, domains)).toEqual(['dom: VCPU 50', 'p below dom: VCPU 2', 'q below dom: ', 'r below other: ', 'null: VCPU 8']);
  });

  test('are the same in any order, and differ in what they say', () => {
    const one = { parent: null, quotas: [quota('VCPU', 1), quota(null, 2, 'INSTANCE')] };
    expect(areSameQuotas(one, { ...one, quotas: one.quotas.toReversed() })).toBe(true);
    for (const other of [
      { ...one, parent: 'dom' },
      { ...one, quotas: one.quotas.slice(1) },
      { ...one, quotas: [quota('VCPU', 2), quota(null, 2, 'INSTANCE')] },
      { ...one, quotas: [quota('VCPU', null), quota(null, 2, 'INSTANCE')] },
      { ...one, quotas: [quota('VCPU', 1), quota(null, 2)] },
      { ...one, quotas: [{ ...quota('VCPU', 1), user: 'u' }, quota(null, 2, 'INSTANCE')] },
    ])
      expect(areSameQuotas(one, other)).toBe(false);
  });
});
