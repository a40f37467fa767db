// The operating system account that runs the database server. Postgres refuses to run as root, so root switches to another account; anyone else runs
// it as themselves. Creates no account.
import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The account to switch to; undefined stands for "as ourselves". */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/** The account for a server whose files are, or will be, in `cluster`: the owner of existing files, else `postgres`, else `nobody`. */
export function serverAccount(cluster: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  const files = lstatSync(cluster, { throwIfNoEntry: false });
  if (files && files.uid !== 0) return { uid: files.uid, gid: files.gid };
  return accountNamed('postgres') ?? accountNamed('nobody') ?? { uid: 65534, gid: 65534 };
}

function accountNamed(name: string): Account {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Changes the owner of one file or directory to the account. */
export function changeOwner(account: Account, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Changes the owner of a directory and all its contents; of links, not of their targets. */
export function changeOwnerOfTree(account: Account, directory: string): void {
  if (!account) return;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  changeOwner(account, directory);
}

/** Whether the account can enter a directory, according to the kernel: mode bits of all parents and access lists count. */
export function canEnter(account: Account, directory: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}
