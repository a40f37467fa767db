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

function Explorer({ defaultHeaders }: ExplorerConfig) {
  const shownHeaders = defaultHeaders ? { defaultHeaders: JSON.stringify(defaultHeaders, null, 2) } : {};
  return (
    <GraphiQL
      fetcher={graphqlFetcher(defaultHeaders)}
      defaultTabs={exampleQueries.map(({ query }) => ({ query }))}
      defaultEditorToolsVisibility="headers"
      inputValueDeprecation
      schemaDescription
      {...shownHeaders}
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
