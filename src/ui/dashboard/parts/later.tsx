// Parts of a page that are loaded when they are first shown.
import { type ComponentType, lazy, memo, Suspense } from 'react';
import { type Height, Loading } from './states.tsx';

/** The part, drawn again only if its properties change. Instead of it, a sentence says that it cannot be loaded: the gateway does not answer, or has other files by now. */
export function later<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  height?: Height,
): ComponentType<Props> {
  const Part: ComponentType<Props> = lazy(() => load().catch(() => ({ default: NotLoaded })));
  return memo((props: Props) => (
    <Suspense fallback={<Loading height={height} />}>
      <Part {...props} />
    </Suspense>
  ));
}

function NotLoaded() {
  return <p role="alert">This part of the page cannot be loaded. Reload the page to try again.</p>;
}
