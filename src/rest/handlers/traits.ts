// Traits, and the traits of a provider.

import { customNameFault, findTextFault, maxNameLength } from '../../domain/text.ts';
import type { NamePart } from '../../domain/unpaged.ts';
import { createTrait, deleteTrait } from '../../operations/names/name-writes.ts';
import { replaceTraits } from '../../operations/providers/provider-writes.ts';
import { getTrait, listAllTraits, type TraitListFilter } from '../../operations/unpaged/names.ts';
import { getTraitsOf } from '../../operations/unpaged/provider-parts.ts';
import type { Answer, Call } from '../call.ts';
import { latest } from '../moments.ts';
import { nameOf, providerOf } from '../params.ts';
import type { Query } from '../query.ts';
import { RestError } from '../rest-error.ts';
import { expectationOf } from './inventories.ts';

/** GET /traits: all that match, standard ones first. */
export async function listTraits({ scope, query }: Call): Promise<Answer> {
  const traits = await listAllTraits(scope, filterOf(query));
  return { body: { traits: traits.map(({ name }) => name) }, lastModified: latest(traits) };
}

function filterOf(query: Query): TraitListFilter {
  const [name, associated] = [query.last('name'), query.last('associated')?.toLowerCase()];
  if (associated !== undefined && associated !== 'true' && associated !== 'false') {
    throw new RestError(400, 'The query parameter "associated" only accepts "true" or "false"');
  }
  return { ...(name !== undefined && nameFilterOf(name)), ...(associated !== undefined && { inUse: associated === 'true' }) };
}

/** `in:A,B` or `startswith:P`; unknown operators are ignored. */
function nameFilterOf(text: string): TraitListFilter {
  const colon = text.indexOf(':');
  if (colon === -1) {
    throw new RestError(
      400,
      `Badly formatted name parameter. Expected name query string parameter in form: ?name=[in|startswith]:[name1,name2|prefix]. Got: "${text}"`,
    );
  }
  const [operator, value] = [text.slice(0, colon), text.slice(colon + 1)];
  if (operator === 'in') return { names: value.split(',').filter(canBeStored) };
  if (operator !== 'startswith') return {};
  return canBeStored(value) ? { prefix: value } : { names: [] };
}

/** Whether a text can be part of a name; other texts match no trait. */
const canBeStored = (text: string): boolean => findTextFault(text, { minLength: 0, maxLength: maxNameLength }) === null;

/** GET /traits/{name}: 204 or 404. */
export async function showTrait(call: Call): Promise<Answer> {
  const { updatedAt } = await getTrait(call.scope, nameOf(call));
  return { status: 204, lastModified: updatedAt };
}

/** PUT /traits/{name}: 201 if it was created, 204 if it existed; 400 unless it is a custom name. */
export async function ensureTrait(call: Call): Promise<Answer> {
  const name = nameOf(call);
  if (customNameFault(name)) {
    throw new RestError(
      400,
      'The trait is invalid. A valid trait must be no longer than 255 characters, start with the prefix "CUSTOM_" and use following characters: "A"-"Z", "0"-"9" and "_"',
    );
  }
  const { created } = await createTrait(call.scope, { name, ifExists: 'RETURN' });
  const lastModified = created ? 'now' : (await getTrait(call.scope, name)).updatedAt;
  return { status: created ? 201 : 204, location: `/traits/${name}`, lastModified };
}

/** DELETE /traits/{name}: 400 for a standard one, 409 if a provider has it. */
export async function removeTrait(call: Call): Promise<Answer> {
  // A name that is not custom is standard, or does not exist.
  const name = nameOf(call);
  if (customNameFault(name)) await getTrait(call.scope, name);
  await deleteTrait(call.scope, { name });
  return {};
}

/** GET …/traits: with the generation of the provider. */
export async function listTraitsOfProvider(call: Call): Promise<Answer> {
  const { generation, parts } = await getTraitsOf(call.scope, providerOf(call));
  return answerWith(generation, parts);
}

/** PUT …/traits: 400 for unknown traits, naming all of them; 409 for a stale generation. */
export async function replaceTraitsOfProvider(call: Call): Promise<Answer> {
  const { traits, resource_provider_generation: generation } = call.body as {
    readonly traits: readonly string[];
    readonly resource_provider_generation: number;
  };
  const provider = providerOf(call);
  // The traits of the request will be those of the provider; their order and timestamps are looked up.
  const wanted = traits.length === 0 ? [] : await listAllTraits(call.scope, { names: [...new Set(traits)] });
  const known = new Set(wanted.map(({ name }) => name));
  const unknown = traits.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new RestError(400, `No such trait ${unknown.join(', ')}`);
  const written = await replaceTraits(call.scope, { resourceProvider: provider, expect: expectationOf(generation), traits });
  return answerWith(written.generation, wanted);
}

/** DELETE …/traits: does not compare generations. */
export async function deleteTraitsOfProvider(call: Call): Promise<Answer> {
  await replaceTraits(call.scope, { resourceProvider: providerOf(call), expect: { unchecked: true }, traits: [] });
  return {};
}

function answerWith(generation: number, traits: readonly NamePart[]): Answer {
  return {
    body: { traits: traits.map(({ name }) => name), resource_provider_generation: generation },
    lastModified: latest(traits),
  };
}
