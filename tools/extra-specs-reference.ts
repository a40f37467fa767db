// Writes docs/extra-specs.md: every extra spec of src/nova/flavors/extra-specs.ts, and its effect.
// With --check it writes nothing and exits with 1 if the file is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { describeValues, extraSpecs, type Treatment } from '../src/nova/flavors/extra-specs.ts';

const chapters: Readonly<Record<Treatment, readonly [title: string, words: string]>> = {
  REQUESTED: ['Part of the request', 'They become amounts, traits and policies of the request, as in Nova.'],
  CHOSEN: [
    'When a host is chosen',
    `These are about the NUMA cells of a guest. Whenever a host is chosen (\`selectDestinations\`, plans, \`whatIf\`), its cells must have room for them, by the rules of Nova's
NUMATopologyFilter. The same applies to dedicated processors, persistent memory and their policies (above), which make a guest of one cell. A request alone ignores
them, with the warning \`EXTRA_SPEC_NOT_CHECKED\` for each.

- **Known data** are what a host reports as \`numa_topology\` in its ComputeNode object: for each cell the processors of both kinds, the pinned ones, their
  siblings, the memory and the pages. Ratios are those of its inventories. As in Nova, a host without a topology takes no guest with cells, but here only once any host
  reports a topology. Until then hosts are left out only if the cells that they report as providers (\`numaCells\`) are smaller than those of the guest, and the
  warnings stay.
- **Totals** of NUMA_CORE, NUMA_THREAD and NUMA_MEMORY_MB show what guests with cells use as reserved, as the host last reported it. Nova does not count other guests in cells.
- **Between two reports** the usage of cells is that of the last report, as in Nova's database: Placement counts later claims and releases for the whole
  host, not by cell. Each instance of a call, and each move of a plan, finds the cells as the ones before it left them. Only
  the nearness of cards in Placement is that of the last report throughout a plan. If a cell was taken meanwhile, the host refuses the
  guest, and Nova claims an alternate (\`claimAlternate\`). Each of Nova's schedulers remembers its own choices until the host reports;
  a gateway keeps nothing that another one could not know.
- **Networks** of an instance (\`network_metadata\` of a RequestSpec): if a cell of a host is near one of them, a cell of the guest must be, too.
- **The host decides** which cells a guest gets.`,
  ],
  UNCHECKED: [
    'Not checked, with a warning',
    'These limit hosts by facts that no provider has. The request ignores them, with the warning `EXTRA_SPEC_NOT_CHECKED` for each:\nfilter the hosts yourself.',
  ],
  GUEST: [
    'For the guest',
    'These configure the guest on whichever host it gets. They request nothing, and cause no warning if their values are valid.',
  ],
};

const rowsOf = (treatment: Treatment) =>
  extraSpecs
    .filter((spec) => spec.treatment === treatment)
    .map(({ name, values, effect, refusedWhen }) => `| \`${name}\` | ${describeValues(values)} | ${effect} | ${refusedWhen ?? ''} |`);

const countOf = (treatment: Treatment) => rowsOf(treatment).length;
const refused = extraSpecs.filter(({ refusedWhen }) => refusedWhen !== null).length;

const text = `# Extra specs

This page lists every extra spec that Nova knows, and its effect when a flavor is converted to a request (\`flavorToRequest\`, \`requestSpecToRequest\`, \`selectDestinations\`).
Of these, ${countOf('REQUESTED')} become part of the request, ${countOf('CHOSEN')} count when a host is chosen, ${countOf('UNCHECKED')} cause a warning, and ${countOf('GUEST')} are for the guest. For ${refused} of
them, a contradiction is refused with \`INVALID_INPUT\`. Generated from \`src/nova/flavors/extra-specs.ts\`; do not edit it.

Any other key is left out with the warning \`EXTRA_SPEC_UNKNOWN\`, and an invalid value with \`EXTRA_SPEC_LEFT_OUT\`. If the image has
a property of the same name (\`hw_cpu_policy\` for \`hw:cpu_policy\`), it counts too.
${(Object.keys(chapters) as Treatment[])
  .map((treatment) => {
    const [title, words] = chapters[treatment];
    const table = ['| Extra spec | Values | Effect | Refused when |', '| --- | --- | --- | --- |', ...rowsOf(treatment)];
    return `\n## ${title}\n\n${words}\n\n${table.join('\n')}\n`;
  })
  .join('')}`;

const file = new URL('../docs/extra-specs.md', import.meta.url);
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (text !== (await readFile(file, 'utf8').catch(() => null))) {
  console.error('docs/extra-specs.md does not match src/nova/flavors/extra-specs.ts. Run `npm run generate`.');
  process.exitCode = 1;
}
