// Turns every list into pages: checks the arguments against its order, reads the rows after the cursor, and counts all rows only on request. The same
// page below many parents is one statement, through a loader.
import type DataLoader from 'dataloader';
import { type CursorKey, type Page, type PageArguments, type PageRequest, parsePage, renderPage, type Sorted } from '../../domain/page.ts';
import { groupBy, Loader, loadOne } from './keyed-loaders.ts';

interface NamedOrder {
  /** Identifies the list and its order: cursors of other lists or orders are refused. */
  readonly name: string;
  readonly order: readonly CursorKey[];
}

export interface List<Row> extends NamedOrder {
  /** The rows of the page and one more, as the statement returns them. */
  readonly select: (page: PageRequest) => Promise<readonly Sorted<Row>[]>;
  readonly count: () => Promise<number>;
}

/** A page of a list. Refuses INVALID_INPUT for sizes out of range, mixed directions and cursors of other lists. */
export async function listPage<Row>(args: PageArguments, { name, order, select, count }: List<Row>): Promise<Page<Sorted<NoInfer<Row>>>> {
  const page = parsePage(args, name, order);
  return renderPage(page, await select(page), name, count);
}

/** A list below many parents: the same page of all of them, and the number of rows of each. */
export interface ListBelow<Parent, Row> extends NamedOrder {
  /** The rows of the page and one more for each parent. */
  select(parents: readonly Parent[], page: PageRequest): Promise<readonly (Sorted<Row> & { readonly parent: Parent })[]>;
  /** Parents without rows may be omitted. */
  count(parents: readonly Parent[]): Promise<readonly { readonly parent: Parent; readonly count: number }[]>;
}

/**
 * A loader of the same page for many parents: one statement for all rows, one more for all requested counts.
 * Refuses as listPage does.
 */
export function loadPages<Parent, Row>(
  { name, order, select, count }: ListBelow<Parent, Row>,
  args: PageArguments,
  keyOf: (parent: Parent) => unknown = (parent) => parent,
): DataLoader<Parent, Page<Sorted<Row>>, unknown> {
  const page = parsePage(args, name, order);
  const counts = loadOne(count, ({ parent }) => parent);
  return new Loader<Parent, Page<Sorted<Row>>, unknown>(
    async (parents) => {
      const found = groupBy(await select(parents, page), ({ parent }) => parent);
      return parents.map((parent) => renderPage(page, found.get(parent) ?? [], name, async () => (await counts.load(parent))?.count ?? 0));
    },
    { cacheKeyFn: keyOf },
  );
}
