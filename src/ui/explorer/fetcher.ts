// Sends an operation of the explorer by POST to the gateway that served the page.
// Knows nothing of authentication beyond the given headers.
import type { GraphiQLProps } from 'graphiql';

/** GraphiQL's default name for the query that reads the schema. */
const introspection = 'IntrospectionQuery';

/**
 * A fetcher for GraphiQL. Sends exactly the headers in the headers editor: headers removed there are not sent.
 * Only the schema is requested with `defaultHeaders` if the editor has none, because GraphiQL does so before the editor exists.
 * JSON answers of any status are shown as they are; anything else (a proxy's page) is an error with its text.
 */
export function graphqlFetcher(defaultHeaders: Readonly<Record<string, string>> | null): GraphiQLProps['fetcher'] {
  return async (operation, options) => {
    const headers = options?.headers ?? (operation.operationName === introspection ? defaultHeaders : null);
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { accept: 'application/json', ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(operation),
    });
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(`HTTP ${response.status}: ${text}`);
    }
  };
}
