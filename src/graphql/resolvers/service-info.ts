// The service itself: what runs here and what it can do.
import { readFileSync } from 'node:fs';
import { limitList } from '../../domain/limits.ts';
import type { Resolvers } from '../schema.generated.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };

/** What this version can do, by name. Names are added, never changed. */
const features = [
  'ledger',
  'provider-trees',
  'apply-provider-tree',
  'shared-pools',
  'reshape',
  'idempotency-keys',
  'events',
  'named-aggregates',
];

const limits = limitList.map(({ name, value, unit, meaning }) => ({ name, value, unit, description: meaning }));

export const serviceInfoResolvers = {
  Query: { service: () => ({ version, features, limits }) },
} satisfies Resolvers;
