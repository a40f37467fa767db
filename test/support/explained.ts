// A session that reports the plans of what it executes, as auto_explain does: with the statements in functions, and with the rows that passed through them.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect } from 'vitest';
import { connect, connectionOptions, writeSettings } from '../../src/db/sql/client.ts';
import { operations, type RequestOf, type WriteOperation } from '../../src/db/writes/operations.ts';
import { createNewDatabase, type TestDatabase } from './database.ts';

interface Executed {
  readonly 'Query Text': string;
  readonly Plan: Plan;
}

/** A node of a plan. Rows and loops are averages and totals of one execution. */
interface Plan {
  /** The table that it reads or writes. */
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Plan[];
}

type Counts = (node: Plan) => boolean;

export interface Cost {
  readonly rows: number;
  /** Those of tables. */
  readonly tableRows: number;
  /** Executions of statements, without those that check foreign keys. */
  readonly statements: number;
}

export class Explained {
  readonly sql: Sql;
  readonly #executed: Executed[] = [];

  private constructor({ target }: TestDatabase, settings: Readonly<Record<string, string>>) {
    const onnotice = ({ message = '' }: { message?: string }) => {
      if (message.startsWith('duration')) this.#executed.push(JSON.parse(message.slice(message.indexOf('{'))) as Executed);
    };
    this.sql = connect(target, { ...connectionOptions(target, { ...settings, statement_timeout: 0 }), ...{ max: 1, onnotice } });
  }

  static async open(database: TestDatabase, settings: Readonly<Record<string, string>>): Promise<Explained> {
    const session = new Explained(database, settings);
    await session.sql.unsafe(`
      load 'auto_explain';
      set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_format = json;
      set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_buffers = off; set client_min_messages = log`);
    return session;
  }

  /** What is executed counts from here. */
  begin(): void {
    this.#executed.length = 0;
  }

  /** The rows that passed through the plans, with those that a filter or a join dropped, without what checks foreign keys. */
  rows(counts?: Counts): number {
    return this.#own().reduce((sum, { Plan: plan }) => sum + rowsIn(plan, counts), 0);
  }

  /** Those of tables with such names. */
  rowsOf(tables: RegExp): number {
    return this.rows((node) => tables.test(node['Relation Name'] ?? ''));
  }

  /** refusal: the code with which it must be refused. */
  async costOf<Name extends WriteOperation>(operation: Name, request: RequestOf<Name>, refusal?: string): Promise<Cost> {
    const by = { user: 'u', project: 'p', roles: [], requestId: 'req-growth' };
    const whole = JSON.stringify({ ...request, kind: operations[operation].event, by });
    this.begin();
    const [row] = await this.sql<
      { answer: { refusal?: { code: string } } }[]
    >`select apply_write(${operation}, ${whole}::text::jsonb) as answer`;
    expect(row?.answer.refusal?.code).toBe(refusal);
    return { rows: this.rows(), tableRows: this.rowsOf(/./), statements: this.#own().length };
  }

  #own(): Executed[] {
    return this.#executed.filter((one) => !one['Query Text'].startsWith('SELECT 1 FROM ONLY'));
  }
}

function rowsIn(plan: Plan, counts: Counts = () => true): number {
  const dropped = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const own = ((plan['Actual Rows'] ?? 0) + dropped) * (plan['Actual Loops'] ?? 0);
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsIn(child, counts), counts(plan) ? own : 0);
}

/** Statistics that are gathered between a smaller and a larger write would change plans at a moment of their own. */
async function stopAutovacuum(sql: Sql): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
  for (const { name } of tables) await sql.unsafe(`alter table ${name} set (autovacuum_enabled = off)`);
}

/** A new database of the file, with a session of a writer in it; no statistics are gathered by themselves. */
export function useExplained(): { readonly database: TestDatabase; readonly session: Explained; readonly costOf: Explained['costOf'] } {
  let database: TestDatabase;
  let session: Explained;
  beforeAll(async () => {
    database = await createNewDatabase();
    session = await Explained.open(database, writeSettings);
    await session.sql`select ensure_consumer_names('{p}', '{u}', '{INSTANCE}')`;
    await stopAutovacuum(session.sql);
  });
  afterAll(async () => {
    await session.sql.end();
    await database.drop();
  });
  return {
    get database() {
      return database;
    },
    get session() {
      return session;
    },
    costOf: (operation, request, refusal) => session.costOf(operation, request, refusal),
  };
}
