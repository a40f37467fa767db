// The addresses of the dashboard for the server, from the table of its pages: the server cannot import what is bundled for browsers.

/** The first parts of the addresses, in the order of the table; without that of the overview, which is at the root. */
export function firstPartsOf(table: string): string[] {
  const paths = [...table.matchAll(/\bpath: '\/([\w-]*)/g)].map(([, first = '']) => first);
  const entries = table.match(/(?<!readonly )\bload:/g) ?? [];
  if (paths.length !== entries.length) throw new Error('Each page needs a literal path, such as `/hosts/:name`.');
  return [...new Set(paths)].filter((first) => first !== '');
}

export function addressModule(table: string): string {
  return [
    '// Generated from src/ui/dashboard/shell/pages.ts. Do not edit.',
    '',
    '/** The first parts of the addresses of the dashboard. The page at each of them, and below it, finds the rest itself. */',
    'export const dashboardPages = [',
    ...firstPartsOf(table).map((first) => `  '${first}',`),
    '] as const;',
    '',
  ].join('\n');
}
