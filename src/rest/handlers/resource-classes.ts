// Resource classes.

import { createResourceClass, deleteResourceClass, renameResourceClass } from '../../operations/names/name-writes.ts';
import { getResourceClass, listAllResourceClasses } from '../../operations/unpaged/names.ts';
import type { Answer, Call } from '../call.ts';
import { latest } from '../moments.ts';
import { nameOf } from '../params.ts';
import { RestError } from '../rest-error.ts';
import { resourceClassName } from '../schemas/names.ts';
import { findFault } from '../validation.ts';

/** GET /resource_classes: all, standard ones first. */
export async function listResourceClasses(call: Call): Promise<Answer> {
  const classes = await listAllResourceClasses(call.scope);
  return {
    body: { resource_classes: classes.map(({ name }) => renderClass(call, name)) },
    lastModified: latest(classes),
  };
}

/** GET /resource_classes/{name}: 404 if there is none. */
export async function showResourceClass(call: Call): Promise<Answer> {
  const { name, updatedAt } = await getResourceClass(call.scope, nameOf(call));
  return { body: renderClass(call, name), lastModified: updatedAt };
}

/** POST /resource_classes: 409 if it exists. */
export async function addResourceClass(call: Call): Promise<Answer> {
  const { name } = call.body as { readonly name: string };
  const { created } = await createResourceClass(call.scope, { name, ifExists: 'RETURN' });
  if (!created) throw new RestError(409, `Conflicting resource class already exists: ${name}`);
  return { status: 201, location: locationOf(name) };
}

/** PUT /resource_classes/{name} up to 1.6: 404 for an unknown class, 400 for a standard one, 409 if another class has the new name. */
export async function renameClass(call: Call): Promise<Answer> {
  const { name } = call.body as { readonly name: string };
  const from = nameOf(call);
  await getResourceClass(call.scope, from);
  if (name !== from) await renameResourceClass(call.scope, { from, name });
  return { body: renderClass(call, name) };
}

/** PUT /resource_classes/{name} since 1.7: 201 or 204. The name in the path is validated like one in a body. */
export async function ensureResourceClass(call: Call): Promise<Answer> {
  const name = nameOf(call);
  const fault = findFault(resourceClassName, { name });
  if (fault !== null) throw new RestError(400, `JSON does not validate: ${fault}`);
  const { created } = await createResourceClass(call.scope, { name, ifExists: 'RETURN' });
  return { status: created ? 201 : 204, location: locationOf(name) };
}

/** DELETE /resource_classes/{name}: 400 for a standard one, 409 if a provider has an inventory of it. */
export async function removeResourceClass(call: Call): Promise<Answer> {
  const { name } = await getResourceClass(call.scope, nameOf(call));
  await deleteResourceClass(call.scope, { name });
  return {};
}

const locationOf = (name: string): string => `/resource_classes/${name}`;

/** Links are absolute paths. */
function renderClass({ mount }: Call, name: string): object {
  return { name, links: [{ rel: 'self', href: `${mount}${locationOf(name)}` }] };
}
