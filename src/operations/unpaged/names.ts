// Reads complete lists of the names of traits and resource classes.

import { selectResourceClassList, selectTraitList } from '../../db/unpaged/names.ts';
import { type Noun, refusalOf } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { maxNameLength } from '../../domain/text.ts';
import type { NamePart } from '../../domain/unpaged.ts';
import { InputCheck } from '../request/input.ts';
import type { RequestScope } from '../scope/scope.ts';

export interface TraitListFilter {
  readonly names?: readonly string[];
  readonly prefix?: string;
  /** Whether some provider has it. */
  readonly inUse?: boolean;
}

const maxNames = limits.filterKeys;

/** All traits that match, standard ones first. Refuses INVALID_INPUT for text that cannot be a name. */
export async function listAllTraits({ db }: RequestScope, { names, prefix, inUse }: TraitListFilter): Promise<readonly NamePart[]> {
  const check = new InputCheck();
  check.size(['names'], names ?? [], 0, maxNames);
  // An empty name matches nothing, an empty prefix everything.
  for (const text of [...(names ?? []), prefix]) if (text) check.text(['name'], text, maxNameLength);
  check.done();
  return selectTraitList(db, { names: names ?? null, prefix: prefix ?? null, inUse: inUse ?? null });
}

/** All classes, standard ones first. */
export async function listAllResourceClasses({ db }: RequestScope): Promise<readonly NamePart[]> {
  return selectResourceClassList(db, null);
}

/** The trait of a name. Refuses NOT_FOUND. */
export async function getTrait({ db }: RequestScope, name: string): Promise<NamePart> {
  const [trait] = canExist(name) ? await selectTraitList(db, { names: [name], prefix: null, inUse: null }) : [];
  return trait ?? refuseUnknown('trait', name);
}

/** The class of a name. Refuses NOT_FOUND. */
export async function getResourceClass({ db }: RequestScope, name: string): Promise<NamePart> {
  const [resourceClass] = canExist(name) ? await selectResourceClassList(db, [name]) : [];
  return resourceClass ?? refuseUnknown('resourceClass', name);
}

/** Whether Postgres can store the text. */
function canExist(name: string): boolean {
  return !name.includes('\0');
}

function refuseUnknown(noun: Noun, name: string): never {
  throw refusalOf({ code: 'NOT_FOUND', details: { noun, key: name } }, ['name']);
}
