// The project's own files as text, for tests about the source itself. Knows imports by their spelling only: no compiler is asked.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceFile {
  /** Relative to the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

export const isCode = (path: string): boolean => /\.(?:ts|tsx|mts|mjs|js)$/.test(path);
export const isSql = (path: string): boolean => path.endsWith('.sql');

/** The program, its tests, benchmarks and configuration, without the generated migrations. */
export function readSourceFiles(): SourceFile[] {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const top = readdirSync(root).filter((name) => name === 'package.json' || name.endsWith('.ts'));
  const below = ['src', 'test', 'bench', 'tools'].flatMap((directory) =>
    readdirSync(`${root}${directory}`, { recursive: true, withFileTypes: true })
      .filter(({ name }) => isCode(name) || isSql(name) || name.endsWith('.html'))
      .map((entry) => posix.join(entry.parentPath, entry.name).slice(root.length)),
  );
  return [...top, ...below].map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));
}

/** The text without comments. In TypeScript, text that looks like a comment within a string or regular expression stays. */
export function withoutComments({ path, text }: SourceFile): string {
  if (isSql(path)) return text.replace(/--[^\n]*/g, '');
  const token =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[=(,:[!&|?{};]\s*|\breturn\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//g;
  return text.replace(token, (found) => (found.startsWith('//') || found.startsWith('/*') ? ' ' : found));
}

/** The specifiers of all imports and re-exports of a file, type imports and dynamic ones included. */
export function importsOf(file: SourceFile): string[] {
  if (!isCode(file.path)) return [];
  const statement = /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g;
  return [...withoutComments(file).matchAll(statement)].flatMap((match) => match[1] ?? match[2] ?? []);
}

export interface NamedImport {
  readonly from: string;
  /** The imported names as declared; null for the whole module. */
  readonly names: readonly string[] | null;
}

/** The names that a file imports from others; re-exports count, and a dynamic import imports everything. */
export function namedImportsOf(file: SourceFile): NamedImport[] {
  if (!isCode(file.path)) return [];
  const statement = /(?:^|[\s;}])(?:import|export)\s([^'"`;]*?)\sfrom\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g;
  return [...withoutComments(file).matchAll(statement)].map(([, clause, from, dynamic]): NamedImport => {
    const braces = /\{([^}]*)\}/.exec(clause ?? '');
    if (dynamic !== undefined || !braces) return { from: from ?? dynamic ?? '', names: null };
    const names = (braces[1] ?? '').split(',').flatMap((part) => /^\s*(?:type\s+)?(\w+)/.exec(part)?.[1] ?? []);
    return { from: from ?? '', names };
  });
}

/** Resolves a relative specifier in the file at `path`. */
export const resolveFrom = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier);
