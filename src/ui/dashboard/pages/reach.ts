// How much of the cloud the caller sees: all of it, or only what belongs to the caller's own project.
import { useViewer } from '../data/viewer.ts';

/** Null while it is not known. */
export function useReach(): 'cloud' | 'project' | null {
  const viewer = useViewer().data?.viewer;
  if (!viewer) return null;
  return viewer.mayReadCloud ? 'cloud' : 'project';
}
