// `export`: writes the whole state of the ledger at one moment to a file that `import` reads. Changes nothing.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { DatabaseTarget } from '../db/sql/client.ts';
import { readState, type StateCounts } from '../db/state.ts';
import type { Progress } from './phases/progress.ts';
import { StateWriter, total } from './state/format.ts';

/** In characters. */
const writtenAtOnce = 256 * 1024;

/**
 * Writes the file under another name until it is complete, so that a file of this name is never half an export. Rows are read no faster than the disk takes
 * them.
 */
export async function runExport(target: DatabaseTarget, file: string, progress: Progress): Promise<StateCounts> {
  const partial = `${file}.partial`;
  const out = openSync(partial, 'w', 0o600);
  try {
    const writer = new StateWriter();
    let counts: StateCounts | undefined;
    let text = '';
    let done = 0;
    const flush = () => {
      for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(out, bytes));
      text = '';
    };
    await readState(target, ({ noun, body }) => {
      if (noun === 'counts') {
        counts = JSON.parse(body) as StateCounts;
        text += writer.header(counts);
        return;
      }
      text += writer.entry(noun, body);
      done += 1;
      if (text.length < writtenAtOnce) return;
      flush();
      progress.at('export', done, counts ? total(counts) : done);
    });
    text += writer.end();
    flush();
    fsyncSync(out);
    renameSync(partial, file);
    if (!counts) throw new Error('the database sent no counts');
    return counts;
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(out);
  }
}
