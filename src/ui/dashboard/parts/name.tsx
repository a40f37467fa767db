// A text that others wrote: names, ids, kinds. Its direction does not leak into what is around it, and what cannot be seen is shown.
import { visible } from '../formats/names.ts';

export function Name({ children }: { readonly children: string }) {
  return <bdi>{visible(children)}</bdi>;
}
