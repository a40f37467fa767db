// Which file an import could not load. Browsers report a gateway that is away and a file that is gone in the same words.

/** What the browsers and Vite say of a chunk, or of its styles, that could not be loaded. */
const unloaded = /dynamically imported module|importing a module script|unable to preload/i;

/** The address of what an import could not load; null if the import failed for another reason. Safari does not name it: then another file of the same version. */
export function unloadedAddress(error: unknown, another: string): string | null {
  if (!(error instanceof Error) || !unloaded.test(error.message)) return null;
  return /(?:https?:\/)?\/\S+/.exec(error.message)?.[0] ?? another;
}
