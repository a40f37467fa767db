// A text that others wrote: names, ids, kinds. Its direction does not leak into the text around it, and invisible characters are shown.
import { visible } from '../formats/names.ts';

export function Name({ children }: { readonly children: string }) {
  return <bdi>{visible(children)}</bdi>;
}
