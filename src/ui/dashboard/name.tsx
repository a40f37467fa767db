// A text that others wrote: names, ids, kinds. Its direction does not leak into what is around it, and what cannot be seen is shown.

/** Control characters, and those that change the direction of what follows. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function Name({ children }: { readonly children: string }) {
  return <bdi>{visible(children)}</bdi>;
}

/** For places that hold no element: titles, labels, canvas. */
function visible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
