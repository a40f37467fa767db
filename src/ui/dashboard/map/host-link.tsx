// Where a host of the map has its page. The map knows hosts by name only: uuids would double its size.
import { Link } from 'wouter';
import { Name } from '../parts/name.tsx';

/** Browsers fold points in paths, and a proxy may fold what is escaped: such names are looked for instead. */
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
