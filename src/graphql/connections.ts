// Connections: the resolvers that present a Page of any noun, shared by all connection types.
import type { Page } from '../domain/page.ts';

interface Edge<Row> {
  readonly cursor: string;
  readonly node: Row;
}

/** Resolvers of every `…Connection` type; its parent is a Page. */
export const connectionResolvers = {
  nodes: <Row>(page: Page<Row>): readonly Row[] => page.rows,
  edges: <Row>({ rows, cursors }: Page<Row>): Edge<Row>[] => rows.map((node, index) => ({ cursor: cursors[index] ?? '', node })),
  pageInfo: ({ hasNextPage, hasPreviousPage, cursors, endCursor }: Page<unknown>) => ({
    hasNextPage,
    hasPreviousPage,
    startCursor: cursors[0] ?? null,
    endCursor: endCursor ?? cursors.at(-1) ?? null,
  }),
  totalCount: (page: Page<unknown>): Promise<number> => page.countAll(),
};
