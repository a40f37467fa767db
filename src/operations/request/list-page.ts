// How every list that is one statement becomes a page: the arguments are checked against its order, the rows behind the cursor are read,
// and all are counted only on request. Lists below many parents are pages of a loader (keyed-loaders.ts).
import { type KeysetOrder, parseKeysetPage } from '../../db/sql/keyset.ts';
import { type CursorValue, type Page, type PageArguments, type PageRequest, renderPage } from '../../domain/page.ts';

export interface List<Row> {
  /** Names the list and its order: cursors of other lists or orders are refused. */
  readonly name: string;
  readonly order: KeysetOrder;
  /** One row more than the page, as the statement found them. */
  readonly select: (page: PageRequest) => Promise<readonly Row[]>;
  /** The sort key of a row, for its cursor. */
  readonly keyOf: (row: Row) => readonly CursorValue[];
  readonly count: () => Promise<number>;
}

/** A page of a list. Refuses INVALID_INPUT for sizes out of range, mixed directions and cursors that are not of this list. */
export async function listPage<Row>(args: PageArguments, { name, order, keyOf, select, count }: List<Row>): Promise<Page<NoInfer<Row>>> {
  const page = parseKeysetPage(args, name, order);
  return renderPage(page, await select(page), name, keyOf, count);
}
