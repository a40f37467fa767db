// Search boxes.
import { findByText, isSearchedKind } from '../../operations/search/search.ts';
import { findNode, kindOf } from '../node-rows.ts';
import type { Resolvers } from '../schema.generated.ts';

export const searchResolvers = {
  Query: {
    search: async (_, args, scope) => {
      const { keys, truncated } = await findByText(scope, args);
      const rows = await Promise.all(keys.map((key) => findNode(scope, key)));
      return { matches: rows.filter((row) => row !== null), truncated };
    },
  },
  SearchMatch: {
    __resolveType: (row) => {
      const kind = kindOf(row);
      return kind !== null && isSearchedKind(kind) ? kind : null;
    },
  },
} satisfies Resolvers;
