// What may be asked about projects: one by its external id, or all of them.

import { countProjects, projectOrder, selectProjects } from '../../db/projects.ts';
import { parseKeysetPage } from '../../db/sql/keyset.ts';
import { type PageArguments, renderPage } from '../../domain/page.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import type { ProjectPage, ProjectParent } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';

/** The project, or null when no consumer ever belonged to it. Refuses INVALID_INPUT for what cannot be an id. */
export async function findProject({ loaders }: RequestScope, externalId: string): Promise<ProjectParent | null> {
  const check = new InputCheck();
  check.text(['externalId'], externalId, maxNameLength);
  check.done();
  return loaders.projectByExternalId.load(externalId);
}

/** Projects that consumers ever belonged to, by external id. Refuses INVALID_INPUT. */
export async function listProjects({ db }: RequestScope, args: PageArguments): Promise<ProjectPage> {
  const list = 'projects';
  const page = parseKeysetPage(args, list, projectOrder);
  return renderPage(
    page,
    await selectProjects(db, page),
    list,
    ({ externalId }) => [externalId],
    () => countProjects(db),
  );
}
