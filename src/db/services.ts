// Which version of a program runs where, as the hosts last said. Written by report_service alone.
import type { Db } from './sql/client.ts';

/** A program on a host. */
export interface ServiceRow {
  readonly host: string;
  readonly program: string;
  readonly version: number;
}

/** Every service of a program, by host. */
export async function selectServices({ sql }: Db, program: string): Promise<ServiceRow[]> {
  return sql<ServiceRow[]>`select host, program, version from services where program = ${program} order by host`;
}

/** The lowest version of a program anywhere; null when it runs nowhere. */
export async function selectMinimumVersion({ sql }: Db, program: string): Promise<number | null> {
  const [row] = await sql<{ version: number | null }[]>`select min(version) as version from services where program = ${program}`;
  return row?.version ?? null;
}
