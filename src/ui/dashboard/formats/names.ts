// Shows names that others chose: characters that could hide, reorder or forge text become visible escapes.

/** Control and format characters (those that reorder text among them), line separators and halves of surrogate pairs. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

export const visible = (text: string): string =>
  text.replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16).padStart(4, '0')}}`);

/** A name for a saved file: only letters, digits, dots, dashes and underscores, never hidden and never too long. */
export function fileName(text: string, extension: string): string {
  const stem = text
    .replace(/[^\w.-]+/g, '_')
    .replace(/^[._-]+|[._]+$/g, '')
    .slice(0, 100);
  return `${stem || 'placement'}.${extension}`;
}

/** "replace allocations" for REPLACE_ALLOCATIONS. */
export const spoken = (constant: string): string => constant.toLowerCase().replaceAll('_', ' ');

/** Shorter and shorter ends of a name: "…rack07", "…07" for "az1-rack07"; a name of one part loses up to half of its characters. */
export function withoutHead(text: string): string[] {
  const starts = [...text.matchAll(/(?<=[-._ ])[^-._ ]|(?<=\p{L})\p{N}/gu)].map(({ index }) => text.slice(index));
  const characters = [...text];
  const shorter =
    starts.length > 0 ? starts : characters.slice(1, characters.length / 2 + 1).map((_, place) => characters.slice(place + 1).join(''));
  return shorter.filter((rest) => rest.length > 1).map((rest) => `…${rest}`);
}

/** Shorter and shorter beginnings of a text. */
export function withoutTail(text: string): string[] {
  const characters = [...text];
  return characters.slice(1).map((_, place) => `${characters.slice(0, -1 - place).join('')}…`);
}
