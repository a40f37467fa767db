// Which version of a program runs where, as the hosts last said. Written by report_service alone.
import type { Db } from './sql/client.ts';

/** The lowest version of a program anywhere; null when it runs nowhere. */
export async function selectMinimumVersion({ sql }: Db, program: string): Promise<number | null> {
  const [row] = await sql<{ version: number | null }[]>`select min(version) as version from services where program = ${program}`;
  return row?.version ?? null;
}
