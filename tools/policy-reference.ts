// Writes the table of rules in docs/access.md, between its marks. With --check it writes nothing and exits with 1 if the table is not up to date.
import { defaultRules } from '../src/auth/policy/rules.ts';
import { writeSection } from './generated-section.ts';

const rules = defaultRules('current');
const systemScoped = defaultRules('system-scoped');

const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``);
const rows = [...new Set([...rules.keys(), ...systemScoped.keys()])].map((name) => {
  const [current, former] = [rules.get(name), systemScoped.get(name)];
  const { description = '', operations = [] } = current ?? former ?? {};
  const what = [description, ...operations.map((operation) => code(operation))].join('<br>');
  const same = current?.check === former?.check;
  return `| ${code(name)} | ${what} | ${code(current?.check)} | ${same ? 'the same' : code(former?.check)} |`;
});
const table = ['| Rule | Allows | `current` | `system-scoped` |', '| --- | --- | --- | --- |', ...rows].join('\n');

await writeSection('access.md', 'rules', table, 'src/auth/policy');
