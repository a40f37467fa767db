// Reads projects: one by its external id, or lists.
import { countProjects, orderOfProjects, type ProjectConditions, type ProjectSortKey, selectProjectPage } from '../../db/projects.ts';
import type { FilterInput, Optional } from '../../domain/input.ts';
import type { PageArguments } from '../../domain/page.ts';
import { maxNameLength } from '../../domain/text.ts';
import { parseFilter } from '../request/filter-groups.ts';
import { InputCheck } from '../request/input.ts';
import { listPage } from '../request/list-page.ts';
import { nameInOrder, type OrderKeyInput, parseOrder, sortOf } from '../request/order.ts';
import type { ProjectPage, ProjectParent } from '../request/parents.ts';
import type { RequestScope } from '../scope/scope.ts';

/** The project, or null if no write has named it yet. Refuses INVALID_INPUT for text that cannot be an id. */
export async function findProject({ loaders }: RequestScope, externalId: string): Promise<ProjectParent | null> {
  const check = new InputCheck();
  check.text(['externalId'], externalId, maxNameLength);
  check.done();
  return loaders.projectByExternalId.load(externalId);
}

export interface ProjectListArguments extends PageArguments {
  readonly filter?: Optional<FilterInput<ProjectConditions>>;
  /** By external id when omitted. */
  readonly orderBy?: Optional<readonly OrderKeyInput<ProjectSortKey['by']>[]>;
}

/** A page of the projects that writes have named. Refuses INVALID_INPUT. */
export async function listProjects({ db }: RequestScope, { filter, orderBy, ...args }: ProjectListArguments): Promise<ProjectPage> {
  const keys = parseOrder(orderBy, 'EXTERNAL_ID');
  const sort = sortOf(keys);
  const wanted = parseFilter<ProjectConditions>(filter, (check, path, { externalIds, externalIdContains, externalIdStartsWith }) =>
    check.nameFilters(path, { externalIds, externalIdContains, externalIdStartsWith }),
  );
  return listPage(args, {
    name: nameInOrder('projects', keys),
    order: orderOfProjects(sort),
    select: (page) => selectProjectPage(db, wanted, sort, page),
    count: () => countProjects(db, wanted),
  });
}
