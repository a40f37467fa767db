// The numbers that the contract states. Its parts name them, so that only src/domain spells a limit: `at most <<filterKeys>>` in a description, and
// `= defaultCandidates` for a default or an argument of a directive. Reads no file.
import { type ASTNode, Kind, visit } from 'graphql';
import { limitList, limits } from '../src/domain/limits.ts';
import { fineSampleDays, sampleSeconds, thinnedSampleMinutes } from '../src/domain/usage-samples.ts';
import { defaultMultipliers } from '../src/nova/instances/weighers.ts';

/** A number as people read it. */
export const digits = (value: number): string => (value < 1e15 ? value.toLocaleString('en-US') : String(value));

const mebibyte = 1024 * 1024;

/** The replacement of a name, if that is not simply the value of the limit of this name. */
const spelled: Readonly<Record<string, string>> = {
  // As callers write these numbers.
  amount: String(limits.amount),
  allocationRatio: String(limits.allocationRatio).replace('+', ''),
  smallestOrderWeight: (1 / limits.orderWeight).toFixed(6),
  idempotencyKeyLife: limits.idempotencyKeyLife === 24 ? 'a day' : `${limits.idempotencyKeyLife} hours`,
  streamPause: limits.streamPause === 500 ? 'twice a second' : `every ${limits.streamPause} milliseconds`,
  streamSilence: seconds(limits.streamSilence),
  streamMessageSize: `${limits.streamMessageSize / mebibyte} MiB`,
  mapResetPause: seconds(limits.mapResetPause),
  sampleSeconds: digits(sampleSeconds),
  fineSampleDays: digits(fineSampleDays),
  thinnedSamples: thinnedSampleMinutes === 15 ? 'quarter of an hour' : `${thinnedSampleMinutes} minutes`,
  failedBuildWeight: digits(defaultMultipliers.buildFailure),
  crossCellWeight: digits(defaultMultipliers.crossCellMove),
};

function seconds(milliseconds: number): string {
  return `${digits(milliseconds / 1000)} seconds`;
}

const values = new Map<string, number>(limitList.map(({ name, value }) => [name, value]));

/** All numbers that have a name, as the contract writes them. */
export const statedNumbers: ReadonlySet<string> = new Set(
  [...[...values.values()].map(digits), ...Object.values(spelled)].flatMap((text) => text.match(/\d[\d,.]*(e\+\d+)?/g) ?? []),
);

/** A definition with each name replaced by its number. Throws for a name that is neither a limit nor in the table above. */
export function withNumbers<Node extends ASTNode>(node: Node, file: string): Node {
  const unknown = (name: string) =>
    new Error(`${file} names ${name}, which is neither a limit of src/domain/limits.ts nor a number of tools/contract-numbers.ts`);
  const textOf = (_: string, name: string): string => {
    const value = values.get(name);
    const text = spelled[name] ?? (value === undefined ? undefined : digits(value));
    if (text === undefined) throw unknown(`<<${name}>>`);
    return text;
  };
  return visit(node, {
    enter(one) {
      // Values of enums are upper case, so a name in lower case can only be that of a limit.
      if (one.kind === Kind.ENUM && /^[a-z]/.test(one.value)) {
        const value = values.get(one.value);
        if (value === undefined) throw unknown(one.value);
        return { kind: Kind.INT, value: String(value) };
      }
      if (!('description' in one) || !one.description) return undefined;
      const value = one.description.value.replace(/<<(.*?)>>/g, textOf);
      return { ...one, description: { ...one.description, value } };
    },
  });
}
