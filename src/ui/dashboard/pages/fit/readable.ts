// The words of an explanation with amounts in units that people think in, and the classes of which too much was asked for.
import { formatAmount, unitOf } from '../../formats/amounts.ts';

/** "600,000 MEMORY_MB", and the amounts after "MEMORY_MB: 97,280 at least, typically 120,000". */
const amountOfClass = /(\d[\d,]*) ([A-Z][A-Z0-9_]*)/g;
const amountsAfterClass = /([A-Z][A-Z0-9_]*)(\S* [^:.]*|): (\d[\d,]*) at least, typically (\d[\d,]*)/g;

const numberIn = (digits: string) => Number(digits.replaceAll(',', ''));

/** The same words with "586 GiB of MEMORY_MB" for "600,000 MEMORY_MB"; amounts of classes without a unit stay as they are. */
export function readable(text: string): string {
  const inUnits = (digits: string, resourceClass: string) => formatAmount(numberIn(digits), resourceClass);
  return text
    .replace(amountOfClass, (words, digits: string, name: string) =>
      unitOf(name) === null ? words : `${inUnits(digits, name)} of ${name}`,
    )
    .replace(amountsAfterClass, (words, name: string, called: string, least: string, typical: string) =>
      unitOf(name) === null ? words : `${name}${called}: ${inUnits(least, name)} at least, typically ${inUnits(typical, name)}`,
    );
}

export interface Refused {
  readonly resourceClass: string;
  readonly amount: number;
}

interface Step {
  readonly kind: string;
  readonly resourceClassName: string | null;
  readonly amount: number | null;
  readonly rootsBefore: number;
  readonly rootsAfter: number;
}

/** Conditions on the size of an amount. */
const sizes: readonly string[] = ['UNITS', 'ROOM', 'ROOM_TOGETHER'];

interface Lacking {
  readonly lacks: readonly { readonly resourceClass: { readonly name: string } }[];
}

/** The classes whose amounts ruled out the last trees, or are all that others lack, each with the largest amount that was asked for. */
export function refusedClasses(steps: readonly Step[], misses: readonly Lacking[]): Refused[] {
  const lacking = new Set(misses.flatMap(({ lacks }) => lacks.map(({ resourceClass }) => resourceClass.name)));
  const most = new Map<string, number>();
  for (const { kind, resourceClassName: name, amount, rootsBefore, rootsAfter } of steps) {
    if (!sizes.includes(kind) || name === null || amount === null || rootsAfter === rootsBefore) continue;
    if (rootsAfter === 0 || lacking.has(name)) most.set(name, Math.max(amount, most.get(name) ?? 0));
  }
  return [...most].map(([resourceClass, amount]) => ({ resourceClass, amount }));
}
