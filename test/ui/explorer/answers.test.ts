// What the explorer makes of answers: tables of the lists in them, and what it remembers of a subscription.
import { describe, expect, test } from 'vitest';
import { csvOf } from '../../../src/ui/dashboard/exports/table.ts';
import { listsOf } from '../../../src/ui/explorer/lists.ts';
import { operationOf } from '../../../src/ui/explorer/operation.ts';
import { Transcript } from '../../../src/ui/explorer/transcript.ts';
import { linkTo, readLink } from '../../../src/ui/explorer-link.ts';

describe('the lists of an answer', () => {
  const answer = {
    data: {
      resourceProviders: {
        totalCount: 2,
        nodes: [
          {
            name: 'a',
            generation: 1,
            parent: null,
            root: { name: 'r' },
            traitNames: ['X', 'Y'],
            inventories: [{ resourceClass: { name: 'VCPU' }, used: 1 }],
          },
          {
            name: '=b',
            generation: 2,
            parent: { name: 'a' },
            traitNames: [],
            inventories: [
              { resourceClass: { name: 'VCPU' }, used: 2 },
              { resourceClass: { name: 'DISK_GB' }, used: 3 },
            ],
          },
        ],
      },
      edges: { edges: [{ node: { name: 'c' } }, { node: null }] },
      nothing: { nodes: [] },
    },
  };
  const csvAt = (path: string) => {
    const list = listsOf(answer).find((one) => one.path === path);
    return list && csvOf(list.columns, list.rows).replace('\ufeff', '').trimEnd().split('\r\n');
  };

  test('are found by path, even inside other lists', () => {
    expect(listsOf(answer).map(({ path, rows }) => [path, rows.length])).toEqual([
      ['resourceProviders', 2],
      ['resourceProviders.inventories', 3],
      ['edges', 1],
      ['nothing', 0],
    ]);
  });

  test('have a column for every value, in whatever object, and no cell that a spreadsheet would run', () => {
    expect(csvAt('resourceProviders')).toEqual(['name,generation,parent,root.name,traitNames,parent.name', 'a,1,,r,X Y,', "'=b,2,,,,a"]);
  });

  test('begin with the values of the enclosing elements', () => {
    expect(csvAt('resourceProviders.inventories')?.map((line) => line.split(',').filter((cell) => cell !== ''))).toEqual([
      expect.arrayContaining(['resourceProviders.name', 'resourceProviders.generation', 'resourceClass.name', 'used']),
      expect.arrayContaining(['a', 'VCPU', '1']),
      expect.arrayContaining(["'=b", 'VCPU', '2']),
      expect.arrayContaining(["'=b", 'DISK_GB', '3']),
    ]);
  });

  test('are the messages of a subscription, and none without an answer', () => {
    const lists = listsOf({ state: 'live', messages: [{ at: '12:00', data: { events: { events: [{ kind: 'A' }] } } }] });
    expect(lists.map(({ path, rows }) => [path, rows.length])).toEqual([
      ['messages', 1],
      ['messages.data.events.events', 1],
    ]);
    for (const none of [null, 'text', [], {}, { errors: [] }]) expect(listsOf(none)).toEqual([]);
  });
});

describe('the transcript of a subscription', () => {
  test('has the newest message first, and drops the oldest, by number and by length', () => {
    const transcript = new Transcript();
    for (let count = 1; count <= 250; count++) transcript.add({ data: count }, 'now');
    expect(transcript.show()).toMatchObject({ messageCount: 250, omittedCount: 150 });
    expect(transcript.show().messages[0]).toEqual({ at: 'now', data: 250 });
    transcript.add({ data: 'x'.repeat(300_000) }, 'now');
    expect(transcript.show()).toMatchObject({ messageCount: 251, omittedCount: 250 });
  });
});

describe('links', () => {
  test('hold their content after the #, and are read from there and from a query', () => {
    const opened = { query: 'query A { a(b: "ü&#?") }', variables: '{"c": 1}', operationName: 'A', example: null };
    const link = new URL(linkTo(opened), 'http://gateway');
    expect([link.pathname, link.search]).toEqual(['/explorer', '']);
    expect(readLink(link)).toEqual(opened);
    expect(readLink({ search: link.hash.replace('#', '?'), hash: '' })).toEqual(opened);
    expect(readLink(new URL(linkTo({ example: 'fit' }), 'http://gateway'))).toMatchObject({ example: 'fit', query: null });
    expect([linkTo({}), readLink({ search: '', hash: '' })]).toEqual(['/explorer', null]);
  });
});

describe('the operation of a document', () => {
  test('is the named one, or the first, with its kind and its variables', () => {
    const text = 'query A { a } subscription B($after: String) { b } fragment F on T { c }';
    expect(operationOf(text, 'B')).toEqual({ name: 'B', kind: 'subscription', start: 14, variables: ['after'] });
    expect(operationOf(text, null)).toMatchObject({ name: 'A', kind: 'query' });
    expect(operationOf('{ a }', null)).toMatchObject({ name: null, kind: 'query' });
    expect([operationOf('{ a', null), operationOf('fragment F on T { c }', null)]).toEqual([null, null]);
  });
});
