// Writes docs/extra-specs.md: every extra spec of src/nova/flavors/extra-specs.ts, and what becomes of it.
// With --check it writes nothing and exits with 1 if the file is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import { describeValues, extraSpecs, type Treatment } from '../src/nova/flavors/extra-specs.ts';

const chapters: Readonly<Record<Treatment, readonly [title: string, words: string]>> = {
  REQUESTED: ['Part of the request', 'They become amounts, traits and policies of the request, as in Nova.'],
  CHOSEN: [
    'When a host is chosen',
    `The NUMA cells of a guest: hosts are asked for room in theirs whenever one is chosen (\`selectDestinations\`, plans, \`whatIf\`), by the rules of Nova's
NUMATopologyFilter. So are they for dedicated processors, persistent memory and their policies (above), which make a guest of one cell. A request alone is made
without them, with the warning \`EXTRA_SPEC_NOT_CHECKED\` for each.

- **What is known.** What a host reports as \`numa_topology\` in its ComputeNode object: for each cell the processors of both kinds, those that are pinned, their
  siblings, the memory and the pages. Ratios are those of its inventories. As in Nova, a host without a topology takes no guest with cells, but here only once some host
  reports one: until then nobody is left out, and the warnings stay.
- **Between two reports** the use of cells is that of the last one, as in Nova's database: what was claimed or released since is counted by Placement for the whole
  host, not by cell. Instances of one call, and moves of one plan, take from the cells what those before them leave; only
  cards in Placement are near cells as last reported in a plan. Where a cell was taken meanwhile, the host refuses the
  guest, and an alternate is claimed (\`claimAlternate\`). Nova's scheduler remembers its own choices until the host reports, each of several schedulers
  its own; a gateway keeps nothing that another one could not know.
- **Networks** of an instance (\`network_metadata\` of a RequestSpec): where a cell of a host is near one of them, so is a cell of the guest.
- **Which cells** a guest gets is the decision of its host.`,
  ],
  UNCHECKED: [
    'Not checked, with a warning',
    'They limit hosts by what no provider shows. The request is made without them, with the warning `EXTRA_SPEC_NOT_CHECKED` for each:\nwhoever places instances filters what was found.',
  ],
  GUEST: [
    'For the guest',
    'They configure the guest on whichever host it comes to. They ask for nothing and cause no warning, as long as their values mean something.',
  ],
};

const rowsOf = (treatment: Treatment) =>
  extraSpecs
    .filter((spec) => spec.treatment === treatment)
    .map(({ name, values, effect, refusedWhen }) => `| \`${name}\` | ${describeValues(values)} | ${effect} | ${refusedWhen ?? ''} |`);

const countOf = (treatment: Treatment) => rowsOf(treatment).length;
const refused = extraSpecs.filter(({ refusedWhen }) => refusedWhen !== null).length;

const text = `# Extra specs

What becomes of the extra specs of a flavor when it is converted to a request (\`flavorToRequest\`, \`requestSpecToRequest\`, \`selectDestinations\`), for
every extra spec that Nova knows: ${countOf('REQUESTED')} become part of the request, ${countOf('CHOSEN')} count when a host is chosen, ${countOf('UNCHECKED')} are warned of, ${countOf('GUEST')} are for the guest. In ${refused} of
them a contradiction is refused with \`INVALID_INPUT\`. Generated from \`src/nova/flavors/extra-specs.ts\`; do not edit it.

Any other key is left out with the warning \`EXTRA_SPEC_UNKNOWN\`, and a value that means nothing with \`EXTRA_SPEC_LEFT_OUT\`. Where the image has
a property of the same name (\`hw_cpu_policy\` for \`hw:cpu_policy\`), it counts too.
${(Object.keys(chapters) as Treatment[])
  .map((treatment) => {
    const [title, words] = chapters[treatment];
    const table = ['| Extra spec | Values | What becomes of it | Refused when |', '| --- | --- | --- | --- |', ...rowsOf(treatment)];
    return `\n## ${title}\n\n${words}\n\n${table.join('\n')}\n`;
  })
  .join('')}`;

const file = new URL('../docs/extra-specs.md', import.meta.url);
if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if (text !== (await readFile(file, 'utf8').catch(() => null))) {
  console.error('docs/extra-specs.md is not what src/nova/flavors/extra-specs.ts says. Run `npm run generate`.');
  process.exitCode = 1;
}
