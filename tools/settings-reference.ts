// Writes the tables of settings, between their marks, in docs/access.md and docs/operations.md. With --check it writes nothing and exits with 1 if a table
// is not up to date.
import { type SettingDescription, settingsOfPages } from '../src/settings/settings.ts';
import { writeSection } from './generated-section.ts';

function tableOf(settings: readonly SettingDescription[]): string {
  const rows = settings.map(({ variable, flag, fallback, meaning }) => `| \`${variable}\`, \`--${flag}\` | ${fallback} | ${meaning} |`);
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

for (const [page, settings] of Object.entries(settingsOfPages))
  await writeSection(`${page}.md`, 'settings', tableOf(settings), 'src/settings');
