// The page of the explorer: finds a token, and shows the editors. They request the schema from the gateway. Connects to no other host.
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import '../dashboard/theme/palette.css';
import '../dashboard/theme/dialog.css';
import './explorer.css';
import { createRoot } from 'react-dom/client';
import { startSession } from '../dashboard/data/session.ts';
import { applyTheme } from '../dashboard/theme/theme.tsx';
import { Explorer } from './explorer.tsx';
import { mendRoles } from './mended-roles.ts';

const place = document.getElementById('explorer');
if (!place) throw new Error('the page has no element #explorer');
applyTheme();
try {
  await startSession();
  mendRoles(place);
  createRoot(place).render(<Explorer />);
} catch (error) {
  place.textContent = `The explorer could not ask the gateway how to sign in: ${error}`;
}
