// The file of static tokens: its form, its permissions, and its changes. It contains only hashes; no message here quotes its contents.
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { stampOf } from './lookout.ts';

/** A token as the file has it. */
export interface TokenRecord {
  /** Names the token in commands; reveals nothing of it. */
  readonly id: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  readonly user: string;
  readonly project: string | null;
  readonly roles: readonly string[];
  readonly createdAt: string;
  /** RFC 3339; null for never. */
  readonly expiresAt: string | null;
}

/** The tokens of a file, and a stamp that changes with the file. */
export interface ReadTokens {
  readonly tokens: readonly TokenRecord[];
  readonly stamp: string;
}

/** The file cannot be used; the message says why and what to do. */
class TokenFileError extends Error {
  constructor(path: string, fault: string) {
    super(`the file of tokens ${path} ${fault}`);
    this.name = 'TokenFileError';
  }
}

const maxBytes = 16 * 1024 * 1024;
const othersMay = 0o007;
const ownerOnly = 0o600;
/** Milliseconds: how long a command waits for others, how long for one that makes no progress, and between two polls. */
const lockWait = { whole: 10_000, still: 3000, step: 50 } as const;

/** The name of a user or project: any that the event ledger can store and a terminal can show. */
export const nameSchema = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
export const roleSchema = z.string().regex(/^[a-z0-9][a-z0-9_.-]{0,254}$/, 'must be of a-z, 0-9, "_", "." and "-"');
const momentSchema = z.iso.datetime({ offset: true, error: 'must be a moment such as 2027-01-31T12:00:00Z' });

const tokenSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]{1,40}$/, 'must be at most 40 of a-z and 0-9'),
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
  user: nameSchema,
  project: nameSchema.nullable(),
  roles: z.array(roleSchema),
  createdAt: momentSchema,
  expiresAt: momentSchema.nullable(),
});
const fileSchema = z.strictObject({ version: z.literal(1, 'must be 1'), tokens: z.array(tokenSchema) });

/** Reads the file. Throws TokenFileError. */
export async function readTokenFile(path: string): Promise<ReadTokens> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    const status = await file.stat({ bigint: true });
    if (!status.isFile()) throw new TokenFileError(path, 'is not a file');
    if (Number(status.mode) & othersMay) {
      throw new TokenFileError(path, `is open to every user of this machine: run chmod o= ${path}`);
    }
    if (status.size > maxBytes) throw new TokenFileError(path, `is larger than ${maxBytes} bytes`);
    return { tokens: parseTokens(path, await file.readFile('utf8')), stamp: stampOf(status) };
  } finally {
    await file.close();
  }
}

function unreadable(path: string, error: unknown): TokenFileError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new TokenFileError(path, 'does not exist: placement-gateway token add creates it');
  if (code === 'EACCES') return new TokenFileError(path, 'may not be read by the account of this process: give it to that account');
  return new TokenFileError(path, `cannot be read (${code})`);
}

function parseTokens(path: string, text: string): readonly TokenRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TokenFileError(path, 'is not valid JSON');
  }
  const { data, error } = fileSchema.safeParse(value);
  if (!data) throw new TokenFileError(path, `is not a file of tokens: ${error.issues.slice(0, 3).map(describeIssue).join('; ')}`);
  for (const key of ['id', 'hash'] as const) {
    const seen = new Set<string>();
    for (const [index, token] of data.tokens.entries()) {
      if (seen.has(token[key])) throw new TokenFileError(path, `has the ${key} of tokens[${index}] twice`);
      seen.add(token[key]);
    }
  }
  return data.tokens;
}

/** Describes an issue without quoting the file: a token may be in the wrong place, even as a key. */
function describeIssue({ path, code, message }: z.core.$ZodIssue): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `${place.replace(/^\./, '') || 'the whole file'} ${code === 'unrecognized_keys' ? 'has keys that do not belong there' : message}`;
}

/**
 * Replaces the tokens of the file by the result of `change`, atomically and durably; with `create`, creates a missing file. The draft beside the file is also
 * the lock: only one process can create it, and renaming it ends both. A draft that does not change is removed, because its command was probably killed; if
 * the command was only delayed, it notices that its draft is gone.
 */
export async function changeTokenFile(
  path: string,
  change: (tokens: readonly TokenRecord[]) => readonly TokenRecord[],
  { create = false } = {},
): Promise<void> {
  // Keeps a symbolic link.
  const target = await realpath(path).catch(() => path);
  const draftPath = `${target}.lock`;
  const draft = await createDraft(path, draftPath);
  try {
    const before = await openExisting(path, create);
    const { tokens } = before ? await readTokenFile(path) : { tokens: [] };
    const text = `${JSON.stringify({ version: 1, tokens: change(tokens) }, null, 2)}\n`;
    // Never writes a file that a gateway could not read.
    parseTokens(draftPath, text);
    await draft.writeFile(text);
    if (before) await takeOver(draft, path, before);
    await draft.sync();
    if (!(await isStill(draftPath, await identityOf(draft))))
      throw new TokenFileError(path, 'was changed by another command meanwhile: try again');
    await rename(draftPath, target);
  } catch (error) {
    if (await isStill(draftPath, await identityOf(draft))) await rm(draftPath, { force: true });
    throw error;
  } finally {
    await draft.close();
  }
  await syncDirectory(dirname(target));
}

async function createDraft(path: string, draftPath: string): Promise<FileHandle> {
  let seen = '';
  let seenFor = 0;
  for (let waited = 0; ; waited += lockWait.step) {
    try {
      return await open(draftPath, 'wx', ownerOnly);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw new TokenFileError(path, 'cannot be changed: its directory does not exist: create it');
      if (code !== 'EEXIST') throw new TokenFileError(path, `cannot be changed (${code} for ${draftPath})`);
      if (waited >= lockWait.whole) throw new TokenFileError(path, 'is being changed by other commands: try again');
    }
    const stamp = await stampAt(draftPath);
    seenFor = stamp === seen ? seenFor + lockWait.step : 0;
    seen = stamp;
    if (seenFor >= lockWait.still && (await stampAt(draftPath)) === seen) await rm(draftPath, { force: true });
    await pause(lockWait.step);
  }
}

async function stampAt(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(stampOf, () => 'gone');
}

async function identityOf(file: FileHandle): Promise<bigint> {
  return (await file.stat({ bigint: true })).ino;
}

/** Whether the file at a path is still this one. */
async function isStill(path: string, identity: bigint): Promise<boolean> {
  return stat(path, { bigint: true }).then(
    ({ ino }) => ino === identity,
    () => false,
  );
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

async function openExisting(path: string, create: boolean): Promise<Owner | null> {
  try {
    const file = await open(path, 'r');
    return await file.stat().finally(() => file.close());
  } catch (error) {
    if (create && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(path, error);
  }
}

/** Gives the new file the owner and the permissions of the old one: the gateway may run under another account than the command. */
async function takeOver(draft: FileHandle, path: string, { uid, gid, mode }: Owner): Promise<void> {
  const own = await draft.stat();
  try {
    if (own.uid !== uid || own.gid !== gid) await draft.chown(uid, gid);
  } catch {
    throw new TokenFileError(path, `belongs to another account (uid ${uid}): run the command as that account`);
  }
  await draft.chmod(mode & 0o770);
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
