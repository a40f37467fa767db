// Links to pages: by the name if an address can hold it, otherwise by the uuid.
import { Link } from 'wouter';
import { Name } from './name.tsx';

interface NamedProvider {
  readonly uuid: string;
  readonly name: string;
}

/** Browsers fold dots in paths, and some characters would end the path. */
const fitsAddress = (name: string) => /^[\w.:@-]+$/.test(name) && name !== '.' && name !== '..';

export const providerAddress = ({ uuid, name }: NamedProvider): string => `/providers/${fitsAddress(name) ? name : uuid}`;

export function ProviderLink({ provider, text }: { readonly provider: NamedProvider; readonly text?: string }) {
  return (
    <Link href={providerAddress(provider)}>
      <Name>{text ?? provider.name}</Name>
    </Link>
  );
}

export function ConsumerLink({ uuid }: { readonly uuid: string }) {
  return (
    <Link href={`/consumers/${uuid}`} title={uuid}>
      <code>{uuid.slice(0, 8)}…</code>
    </Link>
  );
}

export function ProjectLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/projects/${encodeURIComponent(id)}`}>
      <Name>{id}</Name>
    </Link>
  );
}
