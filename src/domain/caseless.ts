// Finds a text in names, ignoring case. Postgres folds letters by the locale of its database, JavaScript by another table. So that both find the same names,
// only A to Z are folded in names, and any other letter of the search text matches in either case.

/** The text with A to Z in lower case, like Postgres's `lower` with the collation "C". */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A search text for folded names: literal, or a regular expression that means the same to JavaScript and Postgres. */
export type CaselessText = { readonly literal: string } | { readonly pattern: string };

export function caselessText(text: string): CaselessText {
  const folded = foldAscii(text);
  const pieces = [...folded].map((character) => ({ character, cases: casesOf(character) }));
  if (pieces.every(({ cases }) => cases.length === 1)) return { literal: folded };
  const pattern = pieces.map(({ character, cases }) => (cases.length > 1 ? `[${cases.join('')}]` : escaped(character)));
  return { pattern: pattern.join('') };
}

/** The cases of a letter beyond ASCII that are one character each. */
function casesOf(character: string): string[] {
  if (character <= '\x7f') return [character];
  const all = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  return [...all].filter((one) => [...one].length === 1);
}

function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|]/.test(character) ? `\\${character}` : character;
}

/** Whether names contain the text. */
export function containing(text: string): (name: string) => boolean {
  const sought = caselessText(text);
  if ('literal' in sought) return (name) => foldAscii(name).includes(sought.literal);
  const pattern = new RegExp(sought.pattern, 'u');
  return (name) => pattern.test(foldAscii(name));
}

/** Whether names start with the text. */
export function startingWith(text: string): (name: string) => boolean {
  const sought = caselessText(text);
  if ('literal' in sought) return (name) => foldAscii(name).startsWith(sought.literal);
  const pattern = new RegExp(`^${sought.pattern}`, 'u');
  return (name) => pattern.test(foldAscii(name));
}
