// The target of a request: the one reading that access rules, policy, router, audit log and log share. A target that another program, such as a proxy in front
// of the gateway, could read in another way is refused, so that nothing is allowed under one name and served under another.
export interface RequestTarget {
  /** The whole path with the mount, decoded; if it can be read in several ways, the path as sent. */
  readonly path: string;
  /** What follows the question mark; empty without one. */
  readonly search: string;
  /** Whether it can be read in one way only. */
  readonly isClear: boolean;
}

/** Non-empty parts of the characters of RFC 3986, except the semicolon, which begins parameters for some programs. */
const plainPath = /^(?:\/[\w\-.~!$&'()*+,=:@%]+)*\/?$/;
const dotPart = /\/\.\.?(?:\/|$)/;
/** Characters that must not come out of an encoded part: they would separate parts, or be decoded once more. */
const separator = /[/?#;\\%\p{Cc}]/u;

export function readTarget(url: string): RequestTarget {
  const mark = url.indexOf('?');
  const sent = mark === -1 ? url : url.slice(0, mark);
  const search = mark === -1 ? '' : url.slice(mark + 1);
  const path = plainPath.test(sent) && sent !== '' && !search.includes('#') ? decoded(sent) : null;
  if (path === null || dotPart.test(path)) return { path: sent.split('#', 1)[0] ?? '', search: '', isClear: false };
  return { path, search, isClear: true };
}

function decoded(path: string): string | null {
  if (!path.includes('%')) return path;
  try {
    const parts = path.split('/').map(decodeURIComponent);
    return parts.some((part) => separator.test(part)) ? null : parts.join('/');
  } catch {
    return null;
  }
}
