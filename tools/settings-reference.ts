// Writes the tables of settings between their marks: those about access in docs/access.md, all others in docs/operations.md. With --check it writes nothing
// and exits with 1 if a table is not up to date.
import { type SettingDescription, settingDescriptions } from '../src/settings.ts';
import { writeSection } from './generated-section.ts';

const concernsAccess = /^(auth|tokensFile|allowedHosts|introspection|keystone\w*|policy\w*|audit\w*|caller\w*|trusted\w*)$/;

function tableOf(settings: readonly SettingDescription[]): string {
  const rows = settings.map(({ variable, flag, fallback, meaning }) => `| \`${variable}\`, \`--${flag}\` | ${fallback} | ${meaning} |`);
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

const [ofAccess, others] = [true, false].map((isWanted) => settingDescriptions.filter(({ key }) => concernsAccess.test(key) === isWanted));

await writeSection('access.md', 'settings', tableOf(ofAccess ?? []), 'src/settings.ts');
await writeSection('operations.md', 'settings', tableOf(others ?? []), 'src/settings.ts');
