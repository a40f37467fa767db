// The explorer: GraphiQL, bundled with all that it needs, its first tabs, and the headers that the server suggests.
// Contains no schema: GraphiQL requests it from the server. Connects to no other host.
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './explorer.css';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import { graphqlFetcher } from './fetcher.ts';
import { exampleQueries } from './queries.ts';

/** The content of `config.json`, from the server. */
interface ExplorerConfig {
  readonly defaultHeaders: Readonly<Record<string, string>> | null;
}

async function readConfig(): Promise<ExplorerConfig> {
  const response = await fetch(`${import.meta.env.BASE_URL}config.json`);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
}

/** What a link to `/explorer?query=…&variables=…` opens, beside the tabs that were left there; null without one. It is shown, never sent by itself. */
function linkedTab(): { readonly query: string; readonly variables: string | null } | null {
  const parameters = new URLSearchParams(window.location.search);
  const query = parameters.get('query');
  return query === null ? null : { query, variables: parameters.get('variables') };
}

function Explorer({ defaultHeaders }: ExplorerConfig) {
  const headers = defaultHeaders && JSON.stringify(defaultHeaders, null, 2);
  const linked = linkedTab();
  const tabs = [...(linked ? [linked] : []), ...exampleQueries.map(({ query }) => ({ query }))];
  return (
    <GraphiQL
      fetcher={graphqlFetcher(defaultHeaders)}
      defaultTabs={tabs}
      defaultEditorToolsVisibility="headers"
      inputValueDeprecation
      schemaDescription
      {...(headers && { defaultHeaders: headers })}
      {...(linked && { initialQuery: linked.query, initialVariables: linked.variables ?? '' })}
      {...(linked && headers && { initialHeaders: headers })}
    >
      <GraphiQL.Logo>Placement</GraphiQL.Logo>
    </GraphiQL>
  );
}

const place = document.getElementById('explorer');
if (!place) throw new Error('the page has no element #explorer');
try {
  const config = await readConfig();
  createRoot(place).render(<Explorer {...config} />);
} catch (error) {
  place.textContent = `The explorer could not read its configuration from the server: ${error}`;
}
