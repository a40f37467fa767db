// Versions of versioned objects: x.y, where a new x is incompatible and a new y only adds. A third number, used by stable branches, is ignored.
import { invalidInput } from '../../../domain/errors.ts';
import type { Path } from '../../../domain/input.ts';

export interface Version {
  readonly major: number;
  readonly minor: number;
}

const pattern = /^(\d{1,6})\.(\d{1,6})(?:\.\d{1,6})?$/;

/** Parses x.y or x.y.z. Refuses INVALID_INPUT at `path`. */
export function parseVersion(json: unknown, path: Path): Version {
  const match = typeof json === 'string' ? pattern.exec(json) : null;
  if (match === null) throw invalidInput(path, 'must be a version such as 1.19');
  return { major: Number(match[1]), minor: Number(match[2]) };
}

/** The version in its canonical spelling, x.y. */
export function renderVersion({ major, minor }: Version): string {
  return `${major}.${minor}`;
}

export function isBelow(a: Version, b: Version): boolean {
  return a.major === b.major ? a.minor < b.minor : a.major < b.major;
}
