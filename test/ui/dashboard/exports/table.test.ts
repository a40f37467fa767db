// Tables as files, read again by readers that are not ours.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Column, csvOf, jsonOf, tableFormats } from '../../../../src/ui/dashboard/exports/table.ts';
import { anyCharacter } from '../../../support/any-character.ts';

interface Row {
  readonly name: string;
  readonly used: number;
  readonly note: string | null;
}

const columns: readonly Column<Row>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'used', value: ({ used }) => used },
  { title: 'note', value: ({ note }) => note },
];

const read = (csv: string): string[][] => parse(csv, { bom: true, relaxColumnCount: false });
const shown = (text: string) => (/^'/.test(text) ? text.slice(1) : text);

describe('a table as CSV', () => {
  test('begins with the mark, ends its lines with CR LF, and leaves numbers bare', () => {
    expect(csvOf(columns, [{ name: 'a,"b"', used: -3, note: null }])).toBe('\ufeffname,used,note\r\n"a,""b""",-3,\r\n');
  });

  test.each(["=cmd|' /C calc'!A0", '+1', '-1', '@SUM(1)', '\tx', '\rx', '\n=x', '  =x', '＝x', '＋x', '－x', '＠x', '\u200b=x'])(
    'disarms %j',
    (name) => {
      const [, [cell] = []] = read(csvOf(columns, [{ name, used: 1, note: null }]));
      expect(cell).toBe(`'${name}`);
    },
  );

  test('gives any text back to a reader, except for the sign that disarms it', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', ' ', '\t', 'a') }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ name: text, used: fc.integer(), note: text })), (rows) => {
        const [, ...lines] = read(csvOf(columns, rows));
        expect(lines.length).toBe(rows.length);
        for (const [index, { name, used, note }] of rows.entries()) {
          const [first = '', second, third = ''] = lines[index] ?? [];
          expect([name, shown(name)]).toContain(shown(first));
          expect(second).toBe(String(used));
          expect([note, shown(note)]).toContain(shown(third));
          expect(first).not.toMatch(/^[\s]*[=+\-@]/);
        }
      }),
    );
  });
});

test('JSON keeps a list that CSV writes as one text', () => {
  const holds: Column<Row & { traits: string[] }> = {
    title: 'traits',
    value: ({ traits }) => traits.join(' '),
    inJson: ({ traits }) => traits,
  };
  const row = { name: 'a', used: 1, note: null, traits: ['X', 'Y'] };
  expect(JSON.parse(jsonOf([...columns, holds], [row]))).toEqual([row]);
  expect(csvOf([holds], [row])).toBe('\ufefftraits\r\nX Y\r\n');
});

test.each(['csv', 'json'] as const)('a table written in parts is the same %s as one written at once', (kind) => {
  const rows = ['a', 'b\n', '"c"'].map((name, used) => ({ name, used, note: null }));
  const { head, rows: part, tail } = tableFormats[kind];
  const inParts = [
    head(columns),
    part(columns, rows.slice(0, 2), true),
    part(columns, [], false),
    part(columns, rows.slice(2), false),
    tail,
  ];
  expect(inParts.join('')).toBe(kind === 'csv' ? csvOf(columns, rows) : jsonOf(columns, rows));
});

test('a table as JSON gives any text back', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ name: fc.string({ unit: anyCharacter }), used: fc.integer(), note: fc.constant(null) })), (rows) => {
      expect(JSON.parse(jsonOf(columns, rows))).toEqual(rows);
    }),
  );
});
