// The root document: the supported versions. Public, at every version.
import type { Answer } from '../call.ts';
import { newestVersion, oldestVersion } from '../microversions.ts';

const version = {
  id: `v${oldestVersion}`,
  max_version: newestVersion,
  min_version: oldestVersion,
  status: 'CURRENT',
  // Relative, so that it is correct behind any proxy.
  links: [{ rel: 'self', href: '' }],
};

/** GET /: the same for every caller. */
export async function showVersions(): Promise<Answer> {
  return { body: { versions: [version] }, lastModified: 'now' };
}
