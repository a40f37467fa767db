// Links to pages.
import { Link } from 'wouter';
import { type NamedProvider, providerAddress } from '../formats/addresses.ts';
import { Name } from './name.tsx';

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
