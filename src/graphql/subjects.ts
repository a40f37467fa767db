// The location of a value in the input, as text and as data: the message of every refusal of a value begins with it. Knows no rules.
import type { Problem } from '../domain/errors.ts';

/** `filter.inTrees[3]` */
export function placeInWords(path: readonly string[]): string {
  return path.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** Text that continues after the location. */
const continuesPlace = /^(must|can|cannot|may|is|are|has|holds|needs|names|stands) /;

/** The message for a value, beginning with its location. Other kinds of refusals already name their subject. */
export function messageWithPlace({ code, message, path }: Pick<Problem, 'code' | 'message' | 'path'>): string {
  const last = path.at(-1);
  if (code !== 'INVALID_INPUT' || last === undefined) return message;
  const place = placeInWords(path);
  if (message.startsWith(`${place} `)) return message;
  if (message.startsWith(`${last} `)) return place + message.slice(last.length);
  return continuesPlace.test(message) ? `${place} ${message}` : `${place}: ${message}`;
}

/** The variable or argument in a message of the executor, and the path within. */
export function pathOfMessage(message: string): readonly string[] | null {
  const [, variable, argument] = /^(?:Variable "\$(\w+)"|Argument "(\w+)")/.exec(message) ?? [];
  const name = variable ?? argument;
  if (name === undefined) return null;
  // The quoted value comes before its location and can contain anything: the last location counts.
  const at = [...message.matchAll(/ at "(\w+(?:\.\w+|\[\d+\])*)";/g)].at(-1)?.[1];
  return at?.startsWith(name) ? [...at.matchAll(/\w+/g)].map(([step]) => step) : [name];
}
