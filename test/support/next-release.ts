// A later release, made from this one: its write functions call each other by other names, and its tables have more columns.
// A function of an older set that calls one of a newer set by mistake, or the reverse, fails.
import { type Migration, type Release, readRelease } from '../../src/db/schema/release.ts';

const moreColumns = `
  ALTER TABLE "inventories" ADD COLUMN "note" text;
  ALTER TABLE "resource_providers" ADD COLUMN "note" text DEFAULT 'none' NOT NULL;`;

/** The release this many versions later. */
export function nextRelease({
  versions = 1,
  oldestServed = 1,
  statements = moreColumns,
  change = (text) => text,
}: {
  readonly versions?: number;
  readonly oldestServed?: number;
  readonly statements?: string;
  /** Of the statements that create its functions. */
  readonly change?: (text: string) => string;
} = {}): Release {
  const release = readRelease();
  const suffix = `_${versions}_later`;
  const functionsOf = (text: string) => change(renameSteps(release, text, suffix));
  const functions = { statements: functionsOf(release.functions.statements), digest: `${versions}`.repeat(64) };
  return {
    ...release,
    version: release.version + versions,
    oldestServed,
    digest: `digest${suffix}`,
    migrations: [...release.migrations, { tag: '9999_later', statements } satisfies Migration],
    functions,
    entries: release.entries.map((entry) => ({ ...entry, statements: functionsOf(entry.statements) })),
  };
}

/** Names of operations with their form, such as 'reshape.2', stay. */
function renameSteps({ functions, entries }: Release, text: string, suffix: string): string {
  const names = [...functions.statements.matchAll(/create or replace function (\w+)/g)].map(([, name]) => name);
  const renamed = names.filter((name) => !entries.some(({ signature }) => signature.startsWith(`${name}(`)));
  return text.replace(new RegExp(`\\b(${renamed.join('|')})(?= *[(.])(?!\\.\\d)`, 'g'), `$1${suffix}`);
}
