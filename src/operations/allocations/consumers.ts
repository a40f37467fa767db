// What may be asked about consumers: lists of them, under a filter. Single ones, and what belongs to them, come from the loaders.

import { consumerOrder, countConsumers, selectConsumers } from '../../db/consumers.ts';
import { parseKeysetPage } from '../../db/sql/keyset.ts';
import type { ConsumerFilter } from '../../domain/allocation.ts';
import type { Optional } from '../../domain/input.ts';
import { limits } from '../../domain/limits.ts';
import { type PageArguments, renderPage } from '../../domain/page.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import type { ConsumerPage } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';

/** A value that was left out, or given as null: the two mean the same. */

/** A filter as a surface has it: moments as text. */
export type ConsumerFilterInput = {
  readonly [Key in keyof ConsumerFilter]?: Optional<NonNullable<ConsumerFilter[Key]> extends Date ? string : ConsumerFilter[Key]>;
};

/** Consumers, oldest first. Refuses INVALID_INPUT. */
export async function listConsumers(
  scope: RequestScope,
  { filter: input, ...args }: PageArguments & { readonly filter?: Optional<ConsumerFilterInput> },
): Promise<ConsumerPage> {
  const list = 'consumers';
  const page = parseKeysetPage(args, list, consumerOrder);
  const filter = parseConsumerFilter(input);
  const consumers = await selectConsumers(scope.db, filter, page);
  scope.loaders.primeConsumers(consumers);
  return renderPage(
    page,
    consumers,
    list,
    ({ id }) => [id],
    () => countConsumers(scope.db, filter),
  );
}

/** A page of the consumers of a project, oldest first; the same for many projects is one statement. Refuses INVALID_INPUT. */
export async function listConsumersOfProject(
  { loaders }: RequestScope,
  project: string,
  { filter: input, ...args }: PageArguments & { readonly filter?: Optional<ConsumerFilterInput> },
): Promise<ConsumerPage> {
  const filter = parseConsumerFilter(input);
  if (filter.projects) {
    const check = new InputCheck();
    check.add(['filter', 'projects'], 'projects is not allowed here: the project is given');
    check.done();
  }
  const page = await loaders.consumerPageByProject({ ...args, filter }).load(project);
  loaders.primeConsumers(page.rows);
  return page;
}

const mostEntries = limits.filterKeys;

/** Checks a filter. Refuses INVALID_INPUT: lists of more than 1,000, texts that no name can be. */
export function parseConsumerFilter(input: Optional<ConsumerFilterInput>): ConsumerFilter {
  const { uuids, projects, users, consumerTypes, untyped, resourceProviders, inTrees, onSeveralRoots, updatedBefore, createdBefore } =
    input ?? {};
  const check = new InputCheck();
  for (const [name, list] of Object.entries({ uuids, projects, users, consumerTypes, resourceProviders, inTrees })) {
    if (list) check.size(['filter', name], list, 0, mostEntries);
  }
  for (const [name, texts] of Object.entries({ projects, users, consumerTypes })) checkNames(check, ['filter', name], texts);
  check.done();
  return {
    ...(uuids && { uuids }),
    ...(projects && { projects }),
    ...(users && { users }),
    ...(consumerTypes && { consumerTypes }),
    ...(typeof untyped === 'boolean' && { untyped }),
    ...(resourceProviders && { resourceProviders }),
    ...(inTrees && { inTrees }),
    ...(typeof onSeveralRoots === 'boolean' && { onSeveralRoots }),
    ...(updatedBefore && { updatedBefore: new Date(updatedBefore) }),
    ...(createdBefore && { createdBefore: new Date(createdBefore) }),
  };
}

/** Texts that are compared with stored names: what cannot be stored cannot be asked for. */
export function checkNames(check: InputCheck, path: readonly (string | number)[], texts: Optional<readonly string[]>): void {
  texts?.forEach((text, index) => {
    check.text([...path, index], text, maxNameLength);
  });
}
