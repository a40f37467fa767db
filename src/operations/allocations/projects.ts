// What may be asked about projects: one by its external id, or all of them.
import { countProjects, projectOrder, selectProjects } from '../../db/projects.ts';
import type { PageArguments } from '../../domain/page.ts';
import { maxNameLength } from '../../domain/text.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import type { ProjectPage, ProjectParent } from '../request/parents.ts';
import type { RequestScope } from '../request/scope.ts';

/** The project, or null when no consumer ever belonged to it. Refuses INVALID_INPUT for what cannot be an id. */
export async function findProject({ loaders }: RequestScope, externalId: string): Promise<ProjectParent | null> {
  const check = new InputCheck();
  check.text(['externalId'], externalId, maxNameLength);
  check.done();
  return loaders.projectByExternalId.load(externalId);
}

/** All projects that a consumer ever belonged to, by external id. Refuses INVALID_INPUT. */
export async function listProjects({ db }: RequestScope, args: PageArguments): Promise<ProjectPage> {
  return listPage(args, {
    name: 'projects',
    order: projectOrder,
    select: (page) => selectProjects(db, page),
    keyOf: ({ externalId }) => [externalId],
    count: () => countProjects(db),
  });
}
