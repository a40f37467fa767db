// The dashboard: finds a token, and shows the page of the address.
import './theme/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, retryPause } from './data/queries.ts';
import { sessionStore, startSession } from './data/session.ts';
import { loadPage, loadPagesWhenIdle } from './shell/loaded-page.tsx';
import { pageAt } from './shell/pages.ts';
import { Shell } from './shell/shell.tsx';
import { applyTheme } from './theme/theme.tsx';

const found = document.getElementById('dashboard');
if (!found) throw new Error('the page has no element #dashboard');
const place = found;

/** Shows the page as soon as the gateway says how to sign in. */
async function begin(failures: number): Promise<void> {
  const first = pageAt(window.location.pathname);
  const start = async () => {
    await startSession();
    if (sessionStore.get().session) first?.ahead?.();
  };
  try {
    // If the chunk cannot be loaded, the page tries again and says so.
    await Promise.all([start(), first && loadPage(first).catch(() => {})]);
  } catch (error) {
    place.textContent = `The gateway cannot be reached, trying again: ${error}`;
    setTimeout(() => void begin(failures + 1), retryPause(failures));
    return;
  }
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Shell />
      </QueryClientProvider>
    </StrictMode>,
  );
  void loadPagesWhenIdle();
}

applyTheme();
void begin(0);
