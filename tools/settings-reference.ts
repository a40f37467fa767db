// Writes the table of the settings of access in docs/access.md, between its marks. With --check it writes nothing and exits with 1 if the table is not
// up to date.
import { settingDescriptions } from '../src/settings.ts';
import { writeSection } from './generated-section.ts';

const concernsAccess = /^(auth|tokensFile|allowedHosts|introspection|keystone\w*|policy\w*|audit\w*|caller\w*|trusted\w*)$/;

const rows = settingDescriptions
  .filter(({ key }) => concernsAccess.test(key))
  .map(({ variable, flag, fallback, meaning }) => `| \`${variable}\`, \`--${flag}\` | ${fallback} | ${meaning} |`);
const table = ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');

await writeSection('access.md', 'settings', table, 'src/settings.ts');
