// What each project holds; projects that hold most of a class come first.
import { useLocation, useSearch } from 'wouter';
import { formatCount } from '../../formats/amounts.ts';
import { printQuery } from '../../formats/query-state.ts';
import { DataTable, type ShownColumn } from '../../parts/data-table.tsx';
import { ProjectLink } from '../../parts/links.tsx';
import layout from '../../parts/page.module.css';
import { More, usePages } from '../../parts/pages-of.tsx';
import { Resources, resourceList, resourceText } from '../../parts/resources.tsx';
import { Answered } from '../../parts/states.tsx';
import { Projects, type ProjectsQuery } from './projects.generated.ts';

type Row = ProjectsQuery['usages']['nodes'][number];

const columns: readonly ShownColumn<Row>[] = [
  {
    title: 'project',
    value: ({ project }) => project?.externalId ?? null,
    show: ({ project }) => project && <ProjectLink id={project.externalId} />,
  },
  {
    title: 'consumers',
    value: ({ consumerCount }) => consumerCount,
    show: ({ consumerCount }) => formatCount(consumerCount),
    isNumber: true,
  },
  {
    title: 'holds',
    value: ({ resources }) => resourceText(resources),
    inJson: ({ resources }) => resourceList(resources),
    show: ({ resources }) => <Resources resources={resources} />,
  },
];

const countWords = (count: number) => (count === 1 ? '1 project holds resources' : `${formatCount(count)} projects hold resources`);

export default function ProjectsPage() {
  const [, navigate] = useLocation();
  const order = new URLSearchParams(useSearch()).get('order') ?? 'VCPU';
  const orderBy = [{ field: 'AMOUNT' as const, resourceClass: order, direction: 'DESC' as const }];
  const { query, first, more, isReading } = usePages(Projects, { orderBy }, ({ usages }) => usages);
  const classes = [
    ...new Set([order, ...(query.data ?? []).flatMap(({ resources }) => resources.map(({ resourceClass }) => resourceClass.name))]),
  ].toSorted();
  return (
    <>
      <div className={layout.head}>
        <h1>Projects</h1>
        <label>
          Most{' '}
          <select value={order} onChange={({ target }) => navigate(`/projects?${printQuery({ order: target.value })}`, { replace: true })}>
            {classes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>{' '}
          first
        </label>
      </div>
      <Answered query={query} height="page">
        {(projects) =>
          projects.length === 0 ? (
            <p className={layout.muted}>No project holds anything.</p>
          ) : (
            <>
              <p>{countWords(first?.usages.totalCount ?? 0)}.</p>
              <DataTable title="projects" columns={columns} rows={projects} keyOf={({ project }) => project?.externalId ?? ''} />
              <More more={more} isReading={isReading} />
            </>
          )
        }
      </Answered>
    </>
  );
}
