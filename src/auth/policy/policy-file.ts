// Files of rules: policy.yaml as oslo.policy reads it, except that mistakes that would open a rule are refused. YAML 1.1; a rule is a text or a list.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, Scalar } from 'yaml';
import { stampOfFile } from '../lookout.ts';
import type { RuleSource } from './check.ts';
import { type Override, PolicyFault } from './effective.ts';

/** Where rules are kept: a file, and directories whose files come after it, in order of name. Later files win. */
export interface PolicyPlaces {
  readonly file: string | null;
  readonly directories: readonly string[];
}

const maxBytes = 4 * 1024 * 1024;
const othersMayWrite = 0o002;
export const maxFaultsTold = 5;

/** The rules of all files. Throws PolicyFault. */
export async function readPolicyFiles(places: PolicyPlaces): Promise<ReadonlyMap<string, Override>> {
  const overrides = new Map<string, Override>();
  for (const path of await filesOf(places)) {
    for (const [name, override] of parsePolicy(path, await readText(path))) overrides.set(name, override);
  }
  return overrides;
}

/** A stamp that differs if one of the files has changed, or files have come or gone. */
export async function stampOfPlaces(places: PolicyPlaces): Promise<string> {
  const paths = await filesOf(places).catch((error: unknown) => [String(error)]);
  const stamps = await Promise.all(paths.map(async (path) => `${path} ${await stampOfFile(path)}`));
  return stamps.join('\n');
}

async function filesOf({ file, directories }: PolicyPlaces): Promise<string[]> {
  const paths = file === null ? [] : [file];
  for (const directory of directories) {
    const names = await readdir(directory).catch((error: unknown) => {
      throw unreadable(`the directory of rules ${directory}`, error);
    });
    const visible = names.filter((name) => !name.startsWith('.')).sort();
    paths.push(...visible.map((name) => join(directory, name)));
  }
  return paths;
}

async function readText(path: string): Promise<string> {
  try {
    const { mode, size } = await stat(path);
    if (mode & othersMayWrite) throw new PolicyFault(`${path}: every user of this machine may write to it: run chmod o-w ${path}`);
    if (size > maxBytes) throw new PolicyFault(`${path}: it is larger than ${maxBytes} bytes`);
    return await readFile(path, 'utf8');
  } catch (error) {
    throw error instanceof PolicyFault ? error : unreadable(path, error);
  }
}

function unreadable(what: string, error: unknown): PolicyFault {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new PolicyFault(`${what}: it does not exist: create it, or take it out of the settings`);
  if (code === 'EACCES') return new PolicyFault(`${what}: the account of this process may not read it: give it to that account`);
  return new PolicyFault(`${what}: it cannot be read (${code})`);
}

/** The rules in the text of a file. Throws PolicyFault. */
function parsePolicy(path: string, text: string): ReadonlyMap<string, Override> {
  const counter = new LineCounter();
  const document = parseDocument(text, { version: '1.1', lineCounter: counter, prettyErrors: false });
  const at = (offset: number | undefined) => `${path}:${counter.linePos(offset ?? 0).line}`;
  const complaints = [...document.errors, ...document.warnings].map(
    ({ message, pos }) => `${at(pos[0])}: ${message}; rules that begin with a sign such as @ or % must be in quotes`,
  );
  const { rules, faults } = complaints.length > 0 ? { rules: [], faults: complaints } : rulesOf(document, at);
  if (faults.length > 0) {
    const more = faults.length > maxFaultsTold ? `; and ${faults.length - maxFaultsTold} more` : '';
    throw new PolicyFault(`${faults.slice(0, maxFaultsTold).join('; ')}${more}`);
  }
  return new Map(rules);
}

type At = (offset: number | undefined) => string;

function rulesOf({ contents }: Document.Parsed, at: At): { readonly rules: [string, Override][]; readonly faults: string[] } {
  const rules: [string, Override][] = [];
  const faults: string[] = [];
  // A file may contain only comments.
  if (contents === null || (isScalar(contents) && contents.value === null)) return { rules, faults };
  if (!isMap(contents))
    return { rules, faults: [`${at(0)}: it must be a map from the names of rules to rules, such as "placement:usages": "role:reader"`] };
  for (const { key, value } of contents.items as Pair[]) {
    const place = at(isScalar(key) ? key.range?.[0] : undefined);
    if (!isScalar(key) || typeof key.value !== 'string') {
      faults.push(`${place}: the name of a rule must be a text: put it in quotes`);
      continue;
    }
    const source = sourceOf(value);
    if (source === null) faults.push(`${place}: the rule ${key.value} ${faultOf(value)}`);
    else rules.push([key.value, { source, at: place }]);
  }
  return { rules, faults };
}

function sourceOf(value: unknown): RuleSource | null {
  if (!isSeq(value)) return textIn(value);
  const alternatives = value.items.map((each) => (isSeq(each) ? textsIn(each.items) : textIn(each)));
  return alternatives.every((each) => each !== null) && !value.tag ? alternatives : null;
}

function textsIn(items: readonly unknown[]): readonly string[] | null {
  const texts = items.map(textIn);
  return texts.every((text) => text !== null) ? texts : null;
}

/** Null for a value that is not a text, and for an empty text without quotes, which upstream takes for a rule that allows everybody. */
function textIn(node: unknown): string | null {
  if (!isScalar(node) || typeof node.value !== 'string' || node.tag) return null;
  const isQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
  return isQuoted || node.value.trim() !== '' ? node.value : null;
}

function faultOf(value: unknown): string {
  const isBlank = value === null || (isScalar(value) && (value.value === null || value.value === ''));
  const isEmptyMap = isMap(value) && value.items.length === 0;
  if (isBlank || isEmptyMap)
    return 'is empty, which would allow everybody: write "@" in quotes to allow everybody, "!" in quotes to allow nobody';
  return 'must be a text or a list of texts: put it in quotes';
}
