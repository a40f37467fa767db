// Trees as dot and SVG, whatever their names are, read again by a parser of dot and one of XML.
import { parse } from '@ts-graphviz/ast';
import fc from 'fast-check';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { describe, expect, test } from 'vitest';
import { dotOf, type ExportedProvider } from '../../../../src/ui/dashboard/exports/dot.ts';
import { svgOf } from '../../../../src/ui/dashboard/exports/svg.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const inventory = { resourceClass: { name: 'VCPU' }, total: 64, reserved: 2, allocationRatio: 4, capacity: 248, used: 17 };
const hostileNames = [
  '<script>alert(1)</script>',
  '"]; x[label="',
  "=cmd|' /C calc'!A0",
  '\u202egnp.exe',
  '😀'.repeat(200),
  ']]><x/>',
  '\\',
  '\\"',
  '\0\ufffe\uffff\ud800',
  '&amp;<!--',
];
const treeOf = (names: readonly string[]): ExportedProvider[] =>
  names.map((name, index) => ({
    uuid: `u${index}`,
    name,
    parent: index === 0 ? null : { uuid: `u${(index - 1) >> 1}` },
    inventories: [inventory],
  }));
const anyName = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('\\', '"', '\n', ']', ';', '<') }),
);
const anyTree = fc.array(anyName, { minLength: 1, maxLength: 6 }).map(treeOf);

/** The labels of the nodes, and the edges, as the parser of dot read them. */
function readDot(text: string) {
  const [graph] = parse(text, { startRule: 'Dot' }).children.filter((part) => part.type === 'Graph');
  const statements = graph?.children ?? [];
  const nodes = statements.filter((part) => part.type === 'Node');
  return {
    kinds: new Set(statements.map(({ type }) => type)),
    ids: nodes.map(({ id }) => id.value),
    attributes: nodes.map(({ children }) => children.flatMap((part) => (part.type === 'Attribute' ? [part.key.value] : []))),
    labels: nodes.map(({ children }) =>
      children.flatMap((part) => (part.type === 'Attribute' && part.key.value === 'label' ? [part.value] : [])),
    ),
    edges: statements.filter((part) => part.type === 'Edge').length,
  };
}

interface Read {
  readonly tags: SaxesTagPlain[];
  readonly texts: string[];
}

function readXml(text: string): Read {
  const parser = new SaxesParser();
  const read: Read = { tags: [], texts: [] };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => read.tags.push(tag));
  parser.on('text', (content) => read.texts.push(content));
  parser.on('comment', () => read.texts.push('a comment'));
  parser.write(text).close();
  return read;
}

describe('a tree as dot', () => {
  test('has a box for each provider, an arrow to each child, and shared pools beside it', () => {
    const pool = { resourceProvider: { name: 'az1-hdd-pool' }, inventory: { ...inventory, resourceClass: { name: 'DISK_GB' } } };
    const { ids, edges, labels } = readDot(dotOf(treeOf(['host', 'numa0', 'numa1']), [pool]));
    expect(ids).toEqual(['n1', 'n2', 'n3', 'p1']);
    expect(edges).toBe(3);
    expect(labels[1]?.[0]).toMatchObject({ quoted: true, value: 'numa0\\nVCPU 7 %, 17 of 248' });
  });

  test('lets no name out of its label', () => {
    fc.assert(
      fc.property(anyTree, (providers) => {
        const { kinds, ids, attributes, labels, edges } = readDot(dotOf(providers, []));
        expect(ids).toEqual(providers.map((_, index) => `n${index + 1}`));
        expect(edges).toBe(providers.length - 1);
        expect(attributes.every((keys) => keys.join() === 'label')).toBe(true);
        expect(labels.flat().every((label) => label.quoted === true)).toBe(true);
        expect([...kinds].every((kind) => ['AttributeList', 'Node', 'Edge'].includes(kind))).toBe(true);
      }),
    );
  });
});

describe('a tree as SVG', () => {
  test('says each bar in words', () => {
    const { texts } = readXml(svgOf(treeOf(['host'])));
    expect(texts).toContain('host');
    expect(texts).toContain('VCPU: 7 % used, 17 of 248, 231 free, 2 reserved, over-commit begins at 62');
  });

  test('is well formed and contains only shapes and text, whatever the names', () => {
    fc.assert(
      fc.property(anyTree, (providers) => {
        const { tags } = readXml(svgOf(providers));
        expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(['svg', 'rect', 'text', 'g', 'title']));
        const names = new Set(tags.flatMap(({ attributes }) => Object.keys(attributes)));
        for (const name of names)
          expect(['xmlns', 'width', 'height', 'viewBox', 'font-family', 'font-size', 'font-weight', 'x', 'y', 'fill']).toContain(name);
      }),
    );
  });
});
