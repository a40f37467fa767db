// The location of a value in the input, in words and as data: the message of every refusal of a value begins with it. Knows no rule.
import type { Problem } from '../domain/errors.ts';

/** `filter.inTrees[3]` */
export function placeInWords(path: readonly string[]): string {
  return path.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** Words that go on where the place ends. */
const goesOn = /^(must|can|cannot|may|is|are|has|holds|needs|names|stands) /;

/** What is wrong with a value, beginning with its place. Refusals of other kinds name what they are about already. */
export function messageWithPlace({ code, message, path }: Pick<Problem, 'code' | 'message' | 'path'>): string {
  const last = path.at(-1);
  if (code !== 'INVALID_INPUT' || last === undefined) return message;
  const place = placeInWords(path);
  if (message.startsWith(`${place} `)) return message;
  if (message.startsWith(`${last} `)) return place + message.slice(last.length);
  return goesOn.test(message) ? `${place} ${message}` : `${place}: ${message}`;
}

/** The variable or argument of a message of the executor, and the way into it. */
export function pathOfMessage(message: string): readonly string[] | null {
  const [, variable, argument] = /^(?:Variable "\$(\w+)"|Argument "(\w+)")/.exec(message) ?? [];
  const name = variable ?? argument;
  if (name === undefined) return null;
  // The value itself is quoted before its place and may hold anything: the place that counts is the last.
  const at = [...message.matchAll(/ at "(\w+(?:\.\w+|\[\d+\])*)";/g)].at(-1)?.[1];
  return at?.startsWith(name) ? [...at.matchAll(/\w+/g)].map(([step]) => step) : [name];
}
