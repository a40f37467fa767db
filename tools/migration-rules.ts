// What a migration may do while gateways of the previous release still read and write: add. Removals come a release later, marked as such.
// Knows SQL only by its spelling.

/** A comment in the statement: the previous release no longer uses what this one removes. */
const secondStep = /^\s*--\s*second step:\s*\S/m;

interface MigrationRule {
  readonly breaks: (statement: string) => boolean;
  readonly advice: string;
}

const takesAway: MigrationRule = {
  breaks: (statement) =>
    /\b(?:DROP\s+(?:TABLE|COLUMN|SEQUENCE|TYPE|SCHEMA)|TRUNCATE|RENAME\s+(?:TO|COLUMN|CONSTRAINT))\b/i.test(statement) ||
    /\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i.test(statement) ||
    /\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+NOT\s+NULL|DROP\s+DEFAULT)\b/i.test(statement),
  advice:
    'removes what gateways of the previous release use: stop using it in one release, remove it in the next, with a comment `-- second step: …`',
};

const rules: readonly MigrationRule[] = [
  takesAway,
  {
    breaks: (statement) =>
      /\bADD\s+COLUMN\b/i.test(statement) && /\bNOT\s+NULL\b/i.test(statement) && !/\bDEFAULT\b|\bGENERATED\b/i.test(statement),
    advice: 'adds a column that gateways of the previous release would have to fill: give it a default',
  },
  {
    breaks: (statement) =>
      /\bADD\s+COLUMN\b/i.test(statement) &&
      /\bGENERATED\b|\bDEFAULT\s+(?:\(?\s*)?(?:pg_current_xact_id|clock_timestamp|random|gen_random_uuid|nextval)\b/i.test(statement),
    advice: 'rewrites the whole table, which no gateway can use meanwhile: add the column without it, and fill it in batches',
  },
  {
    breaks: (statement) => /\bCREATE\s+(?:UNIQUE\s+)?INDEX\b(?!\s+CONCURRENTLY)/i.test(statement),
    advice: 'stops all writes to the table while the index is built: create it concurrently, in a migration of its own',
  },
  {
    breaks: (statement) =>
      /\bADD\s+CONSTRAINT\b/i.test(statement) && !/\bNOT\s+VALID\b/i.test(statement) && !/\bUSING\s+INDEX\b/i.test(statement),
    advice: 'checks or indexes all rows while no gateway can use the table: add it NOT VALID and validate it in the next migration',
  },
  {
    breaks: (statement) => /^\s*(?:WITH\b|UPDATE\b|DELETE\b|INSERT\b|MERGE\b)/i.test(statement),
    advice: 'changes rows while tables are locked: let housekeeping change them in batches',
  },
];

/** The complaints about one migration, one for each statement and rule. */
export function migrationFaults(text: string): string[] {
  const parts = text.split('--> statement-breakpoint').flatMap((part) => part.split(/;\s*\n/));
  const created = new Set([...text.matchAll(/\bCREATE\s+TABLE\s+"(\w+)"/gi)].map(([, name]) => name));
  const concurrent = parts.filter((part) => /\bCONCURRENTLY\b/i.test(part)).length;
  const mixed =
    concurrent > 0 && concurrent < parts.filter((part) => withoutRemarks(part) !== '').length
      ? ['an index is created concurrently, which cannot be done in one transaction with other statements: give it a migration of its own']
      : [];
  return [...mixed, ...unrepeatable(parts), ...parts.flatMap((part) => statementFaults(part, created))];
}

/** An index that is created concurrently stays, without use, if its creation is interrupted, and would forbid the next attempt. */
function unrepeatable(parts: readonly string[]): string[] {
  return parts.flatMap((part, place) => {
    const [, name] = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+("\w+")/i.exec(withoutRemarks(part)) ?? [];
    const isDropped = parts
      .slice(0, place)
      .some((earlier) => withoutRemarks(earlier).startsWith(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
    return name === undefined || isDropped
      ? []
      : [`${name} stays if its creation is interrupted: drop it first, concurrently, if it exists`];
  });
}

/** Complaints about what no migration may do, not even with new tables. */
export function placeFaults(text: string): string[] {
  return /"public"\./.test(text) ? ['it names the schema public: settings decide the schema of the tables, so names must have none'] : [];
}

function statementFaults(part: string, created: ReadonlySet<string | undefined>): string[] {
  const statement = withoutRemarks(part);
  const [, table] = /\b(?:ALTER\s+TABLE|ON|UPDATE|INTO)\s+"(\w+)"/i.exec(statement) ?? [];
  if (created.has(table)) return [];
  const broken = rules.filter((rule) => rule.breaks(statement) && !(rule === takesAway && secondStep.test(part)));
  return broken.map(({ advice }) => `${statement.replace(/\s+/g, ' ').slice(0, 80)} … ${advice}`);
}

function withoutRemarks(part: string): string {
  return part.replace(/--[^\n]*/g, '').trim();
}
