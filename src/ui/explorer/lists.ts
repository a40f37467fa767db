// The lists inside an answer, as tables: a row for each element, a column for each value in it. A connection is the list of its nodes. A list inside the
// elements of another list is a table, too; each of its rows begins with the values of the enclosing elements.
import type { Column } from '../dashboard/exports/table.ts';
import type { Json } from './example.ts';

type Value = string | number | boolean | null;
/** A list of values is one value. */
type Row = ReadonlyMap<string, Value | readonly Value[]>;

export interface AnswerList {
  /** Such as `resourceProviders.inventories`. */
  readonly path: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

type Fields = { readonly [key: string]: Json };

const isFields = (value: Json | undefined): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isValue = (value: Json): value is Value => typeof value !== 'object' || value === null;

/** The lists of an answer, the longest paths last; empty if it is not an answer. */
export function listsOf(answer: Json): AnswerList[] {
  const found = new Map<string, Row[]>();
  const root = isFields(answer) ? (answer.data ?? answer.messages ?? null) : null;
  if (isList(root)) collect(root, 'messages', new Map(), found);
  else if (isFields(root)) visit(root, '', new Map(), found);
  return [...found].map(([path, rows]) => ({ path, rows, columns: columnsOf(rows) }));
}

/** The elements of a list of objects or of a connection; null for anything else. */
function elementsOf(value: Json): readonly Json[] | null {
  if (isList(value)) return value.every(isValue) ? null : value;
  if (!isFields(value)) return null;
  if (value.nodes !== undefined && isList(value.nodes)) return value.nodes;
  if (value.edges !== undefined && isList(value.edges)) return value.edges.map((edge) => (isFields(edge) ? (edge.node ?? null) : null));
  return null;
}

function visit(fields: Fields, path: string, around: Row, found: Map<string, Row[]>): void {
  for (const [key, value] of Object.entries(fields)) {
    const inner = path === '' ? key : `${path}.${key}`;
    const elements = elementsOf(value);
    if (elements !== null) collect(elements, inner, around, found);
    else if (isFields(value)) visit(value, inner, around, found);
  }
}

function collect(elements: readonly Json[], path: string, around: Row, found: Map<string, Row[]>): void {
  const rows = found.get(path) ?? [];
  found.set(path, rows);
  for (const element of elements) {
    if (element === null) continue;
    const own = isFields(element) ? valuesOf(element, '') : [['value', isValue(element) ? element : JSON.stringify(element)] as const];
    rows.push(new Map([...around, ...own.map(([name, value]) => [around.has(name) ? `${path}.${name}` : name, value] as const)]));
    if (!isFields(element)) continue;
    const here = new Map([...around, ...own.map(([name, value]) => [`${path}.${name}`, value] as const)]);
    visit(element, path, here, found);
  }
}

/** The values of an element; those of inner objects are named by their path. A list of values is one value; other lists are tables of their own. */
function valuesOf(fields: Fields, path: string): (readonly [name: string, value: Value | readonly Value[]])[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const name = `${path}${key}`;
    if (isValue(value)) return [[name, value] as const];
    if (isList(value)) return value.every(isValue) ? [[name, value] as const] : [];
    return isFields(value) && elementsOf(value) === null ? valuesOf(value, `${name}.`) : [];
  });
}

const asText = (value: Value | readonly Value[]): Value => (typeof value === 'object' && value !== null ? value.join(' ') : value);

function columnsOf(rows: readonly Row[]): Column<Row>[] {
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  return [...names].map((title) => {
    const inJson = (row: Row) => row.get(title) ?? null;
    return { title, inJson, value: (row) => asText(inJson(row)) };
  });
}
