// The dashboard: finds a token, and shows the page of the address.
import './theme/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './data/queries.ts';
import { sessionStore, startSession } from './data/session.ts';
import { loadPage } from './shell/loaded-page.tsx';
import { pageAt } from './shell/pages.ts';
import { Shell } from './shell/shell.tsx';
import { applyTheme } from './theme/theme.tsx';

const place = document.getElementById('dashboard');
if (!place) throw new Error('the page has no element #dashboard');
applyTheme();
try {
  const first = pageAt(window.location.pathname);
  const start = async () => {
    await startSession();
    if (sessionStore.get().session) first?.ahead?.();
  };
  // If the chunk cannot be loaded, the page tries again and says so.
  await Promise.all([start(), first && loadPage(first).catch(() => {})]);
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Shell />
      </QueryClientProvider>
    </StrictMode>,
  );
} catch (error) {
  place.textContent = `The dashboard could not ask the gateway how to sign in: ${error}`;
}
