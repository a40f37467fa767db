// Links from the map to the pages of hosts. The map knows hosts by name only: uuids would double its size.
import { Link } from 'wouter';
import { Name } from '../parts/name.tsx';

/** Browsers fold dots in paths, and a proxy may fold escaped ones, so links to other names lead to the search. */
const fitsAddress = /^[\w.:@-]+$/;

export function hostAddress(name: string): string {
  return fitsAddress.test(name) && !/^\.+$/.test(name) ? `/providers/${name}` : `/search?q=${encodeURIComponent(name)}`;
}

export function HostLink({ name }: { readonly name: string }) {
  return (
    <Link href={hostAddress(name)}>
      <Name>{name}</Name>
    </Link>
  );
}
