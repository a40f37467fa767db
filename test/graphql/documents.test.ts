import { type DocumentNode, type OperationDefinitionNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { storeDocuments } from '../../src/graphql/documents.ts';
import { createExecutor } from '../../src/graphql/executor.ts';
import { loadSchema } from '../../src/graphql/resolvers/schema.ts';

describe('a store of parsed documents', () => {
  const small = '{ a }';

  test('keeps those that were asked for last, up to a size', async () => {
    const store = storeDocuments(30_000);
    for (let nth = 0; nth < 20; nth++) {
      await store.set(`${nth}`, parse(small));
      await store.get('0');
    }
    const found = await Promise.all(Array.from({ length: 20 }, (_, nth) => store.get(`${nth}`)));
    const kept = found.flatMap((document, nth) => (document ? nth : []));
    expect(kept[0]).toBe(0);
    expect(kept.slice(1)).toEqual(Array.from({ length: kept.length - 1 }, (_, nth) => 21 - kept.length + nth));
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.length).toBeLessThan(12);
  });

  test('lets go of the tokens of comments, and counts their comments', async () => {
    const document = parse(`${small}${'\n#'.repeat(3000)}`);
    await storeDocuments(1_000_000).set('a', document);
    expect([document.loc?.startToken.next, document.definitions[0]?.loc?.endToken.next]).toEqual([null, null]);
    const store = storeDocuments(100_000);
    await store.set('a', document);
    expect(await store.get('a')).toBeUndefined();
  });

  test('counts strings with escapes, which it holds as text', async () => {
    const text = `{ a(text: "${'\\na'.repeat(5000)}") }`;
    const store = storeDocuments(10 * (2 * text.length + 2 * 10_000 + 5000));
    await store.set('a', parse(text));
    expect(await store.get('a')).toBeDefined();
    const smaller = storeDocuments(10 * (2 * text.length + 2 * 10_000));
    await smaller.set('a', parse(text));
    expect(await smaller.get('a')).toBeUndefined();
  });

  test('holds documents that are compiled when they are run again', async () => {
    const store = storeDocuments();
    await store.set('a', parse('{ serviceInfo { version } ...A } fragment A on Query { serviceInfo { features } }'));
    const document = (await store.get('a')) as DocumentNode;
    const executor = createExecutor(loadSchema(), { jit: true });
    const operation = document.definitions[0] as OperationDefinitionNode;
    for (let run = 0; run < 3; run++) await executor.execute({ document, operation, context: {}, variables: {} });
    expect(executor.compiledCount()).toBe(1);
  });

  test('counts the selections of a fragment as often as it is spread', async () => {
    const text = (times: number) => `{ ${'...A '.repeat(times)} } fragment A on Query { ${'a '.repeat(50)} }`;
    for (const [times, isKept] of [
      [1, true],
      [10, false],
    ] as const) {
      const store = storeDocuments(2_000_000);
      await store.set('a', parse(text(times)));
      expect((await store.get('a')) !== undefined).toBe(isKept);
    }
  });
});
