// How many more the quotas of a project allow, and which quota decides.
import { useAsk } from '../../data/queries.ts';
import { subjectOfQuota } from '../../data/quotas.ts';
import { formatPartOf } from '../../formats/amounts.ts';
import { Name } from '../../parts/name.tsx';
import { Answered } from '../../parts/states.tsx';
import { server } from './beyond.ts';
import { FitWithin } from './fit.generated.ts';
import { candidatesInput, type FitRequest } from './request.ts';

export function WithinQuotas({ request }: { readonly request: FitRequest }) {
  const within = { project: request.project, consumerType: server };
  const query = useAsk(FitWithin, { input: candidatesInput(request), within });
  const project = <Name>{request.project}</Name>;
  return (
    <Answered query={query} height="line">
      {({ fit: { allowed, limitedBy } }) =>
        allowed === null ? (
          <p role="status">No quota of project {project} bounds it.</p>
        ) : (
          <p role="status">
            The quotas of project {project} allow <strong>{allowed.toLocaleString('en')}</strong> more.{' '}
            {limitedBy === null ? (
              'The hosts have room for fewer.'
            ) : (
              <>
                <Name>{subjectOfQuota(limitedBy.quota)}</Name> of project <Name>{limitedBy.projectExternalId}</Name> decides:{' '}
                {formatPartOf(limitedBy.used, limitedBy.quota.amount ?? 0, limitedBy.quota.resourceClassName ?? '')} used.
              </>
            )}
          </p>
        )
      }
    </Answered>
  );
}
