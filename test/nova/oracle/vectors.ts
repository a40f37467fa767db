// The stored vectors, and how the answers of this project are compared with those of Nova. make.py makes vectors from an installed Nova; to look at some:
//
//   zcat test/nova/oracle/vectors/cells.jsonl.gz | head -3
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Refusal } from '../../../src/domain/errors.ts';

/** Nova refuses by exceptions, of which the name is kept; this project by messages. */
export interface Refused {
  readonly refused: string;
}

/** What is given, and what Nova says. */
type Vector<Given, Answer> = Given & { readonly says: Answer | Refused };

export interface Vectors<Given, Answer> {
  readonly head: Head;
  readonly vectors: readonly Vector<Given, Answer>[];
}

/** The first line of each file. */
interface Head {
  readonly kind: string;
  /** The release that was asked. */
  readonly nova: string;
  readonly seed: number;
  readonly vectors: number;
}

export function readVectors<Given, Answer>(kind: string): Vectors<Given, Answer> {
  const text = gunzipSync(readFileSync(new URL(`vectors/${kind}.jsonl.gz`, import.meta.url))).toString();
  const [head, ...vectors] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { head, vectors };
}

/** A reason why this project answers otherwise. */
export interface Difference<Given, Answer> {
  readonly because: string;
  /** What this project would answer if it were not for this reason; null if the reason does not concern the vector. */
  readonly without: (own: Answer | Refused, given: Given, nova: Answer | Refused) => Answer | Refused | null;
}

/** A reason for which the whole answer is another one. */
export function whenever<Given, Answer>(
  because: string,
  applies: (given: Given, nova: Answer | Refused, own: Answer | Refused) => boolean,
): Difference<Given, Answer> {
  return { because, without: (own, given, nova) => (applies(given, nova, own) ? nova : null) };
}

/** How many vectors differ for each known reason. A vector that no reason explains is listed with both answers. */
export function compare<Given extends object, Answer extends object>(
  vectors: readonly Vector<Given, Answer>[],
  answer: (given: Given) => Answer,
  differences: readonly Difference<Given, Answer>[],
) {
  const counts: Record<string, number> = { equal: 0 };
  const unexplained: object[] = [];
  for (const { says: nova, ...rest } of vectors) {
    const given = rest as unknown as Given;
    const own = answerOf(() => answer(given));
    const reasons = explain(own, given, nova, differences);
    if (reasons === null) unexplained.push({ given, nova, own });
    else for (const reason of reasons.length > 0 ? reasons : ['equal']) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return { counts, unexplained };
}

/** The reasons without which this project would answer as Nova does; null if there would still be a difference. */
function explain<Given, Answer extends object>(
  own: Answer | Refused,
  given: Given,
  nova: Answer | Refused,
  differences: readonly Difference<Given, Answer>[],
): readonly string[] | null {
  if (isSame(nova, own)) return [];
  for (const [at, { because, without }] of differences.entries()) {
    const other = without(own, given, nova);
    const further = other && !isSame(other, own) ? explain(other, given, nova, differences.slice(at + 1)) : null;
    if (further) return [because, ...further];
  }
  return null;
}

export function isRefused(answer: object): answer is Refused {
  return Object.hasOwn(answer, 'refused');
}

function answerOf<Answer>(ask: () => Answer): Answer | Refused {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}

/** The words of a refusal are each side's own. */
function isSame(one: object, other: object): boolean {
  return isRefused(one) || isRefused(other) ? isRefused(one) && isRefused(other) : isDeepStrictEqual(one, other);
}
