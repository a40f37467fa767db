// The gateway itself: version, features and limits.
import { readFileSync } from 'node:fs';
import { limitList } from '../../domain/limits.ts';
import { featuresOf } from '../features.ts';
import type { Resolvers } from '../schema.generated.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string };

const limits = limitList.map(({ name, value, unit, meaning }) => ({ name, value, unit, description: meaning }));

export const serviceInfoResolvers = {
  Query: { serviceInfo: (_, __, ___, { schema }) => ({ version, features: featuresOf(schema), limits }) },
} satisfies Resolvers;
