// The text format of Prometheus: metrics as lines. Our own writer instead of prom-client: the bulk, five values for each inventory of the cloud, has to be
// rendered in parts from memory, which no registry of objects does, and the numbers of several processes are added up before they are written.
import { labelsOf, type Measured } from '../measures/instruments.ts';

/** A number that is read at a scrape, and may fall. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** How to combine several processes: their sum, or the largest. */
  readonly of: 'all' | 'worst';
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A value escaped for use between quotes. */
export function quoted(text: string): string {
  return /["\\\n]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : text;
}

export function head(name: string, help: string, type: 'counter' | 'gauge' | 'histogram'): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
}

function labelled(name: string, labels: Iterable<readonly [string, string]>): string {
  const parts = [...labels].map(([label, value]) => `${label}="${quoted(value)}"`);
  return parts.length === 0 ? name : `${name}{${parts.join()}}`;
}

export function renderGauge({ name, help, samples }: Gauge): string {
  const lines = samples.map(({ labels, value }) => `${labelled(name, Object.entries(labels))} ${value}\n`);
  return head(name, help, 'gauge') + lines.join('');
}

export function renderMeasured({ name, help, labels, bounds, values }: Measured): string {
  const lines = values.map(([key, numbers]) => {
    const given = labels.length === 0 ? [] : labelsOf(key).map((value, place) => [labels[place] as string, value] as const);
    return bounds === null ? `${labelled(name, given)} ${numbers[0]}\n` : renderBuckets(name, given, bounds, numbers);
  });
  return head(name, help, bounds === null ? 'counter' : 'histogram') + lines.join('');
}

function renderBuckets(
  name: string,
  labels: readonly (readonly [string, string])[],
  bounds: readonly number[],
  numbers: readonly number[],
): string {
  let count = 0;
  let text = '';
  for (const [place, bound] of [...bounds, Number.POSITIVE_INFINITY].entries()) {
    count += numbers[place] as number;
    text += `${labelled(`${name}_bucket`, [...labels, ['le', bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound)]])} ${count}\n`;
  }
  return `${text}${labelled(`${name}_sum`, labels)} ${numbers.at(-1)}\n${labelled(`${name}_count`, labels)} ${count}\n`;
}

/** Combines the gauges of several processes. */
export function joinGauges(all: readonly (readonly Gauge[])[]): Gauge[] {
  const joined = new Map<string, { readonly first: Gauge; readonly samples: Map<string, Sample> }>();
  for (const gauge of all.flat()) {
    const known = joined.get(gauge.name) ?? { first: gauge, samples: new Map<string, Sample>() };
    joined.set(gauge.name, known);
    for (const { labels, value } of gauge.samples) {
      const key = JSON.stringify(labels);
      const other = known.samples.get(key)?.value;
      const both = other === undefined ? value : gauge.of === 'all' ? other + value : Math.max(other, value);
      known.samples.set(key, { labels, value: both });
    }
  }
  return [...joined.values()].map(({ first, samples }) => ({ ...first, samples: [...samples.values()] }));
}
