// Connections: the resolvers that present a Page of any noun, shared by all connection types.
import type { Page } from '../domain/page.ts';

interface Edge<Row> {
  readonly cursor: string;
  readonly node: Row;
}

/** Resolvers of every `…Connection` type; its parent is a Page. */
export const connectionResolvers = {
  nodes: <Row>(page: Page<Row>): readonly Row[] => page.rows,
  edges: <Row>(page: Page<Row>): Edge<Row>[] => page.rows.map((node, index) => ({ cursor: page.cursors[index] ?? '', node })),
  pageInfo: (page: Page<unknown>) => ({
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: page.cursors[0] ?? null,
    endCursor: page.endCursor ?? page.cursors.at(-1) ?? null,
  }),
  totalCount: (page: Page<unknown>): Promise<number> => page.countAll(),
};
