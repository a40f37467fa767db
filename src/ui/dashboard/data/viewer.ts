// The caller, and the version of the gateway. Asked now and then, because a gateway may be upgraded while the page is open.
import type { UseQueryResult } from '@tanstack/react-query';
import { useAsk } from './queries.ts';
import { Viewer, type ViewerQuery } from './viewer.generated.ts';

export function useViewer(): UseQueryResult<ViewerQuery> {
  return useAsk(Viewer, {}, { everySeconds: 300, isAside: true });
}

/** How much of the cloud the caller sees: all of it, or only what belongs to the caller's own project; null while that is unknown. */
export function useReach(): 'cloud' | 'project' | null {
  const viewer = useViewer().data?.viewer;
  if (!viewer) return null;
  return viewer.mayReadCloud ? 'cloud' : 'project';
}
