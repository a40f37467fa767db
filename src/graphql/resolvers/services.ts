// Nova's services and their versions.
import type { Optional } from '../../domain/input.ts';
import { keyOfService } from '../../domain/service.ts';
import { deleteService, listNovaServices, minimumComputeVersion, reportService } from '../../nova/services/services.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { deleted, mutation, nothingDeleted } from './mutation.ts';

export const serviceResolvers = {
  Query: {
    services: (_, args, scope) => listNovaServices(scope, args),
    minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope),
  },
  Mutation: {
    reportService: mutation({}, async ({ service }, scope) => {
      const { minimum } = await reportService(scope, service);
      return minimum === undefined ? {} : { minimumComputeVersion: minimum };
    }),
    deleteService: mutation(nothingDeleted, async (input, scope) => {
      await deleteService(scope, input);
      return deleted('Service', keyOfService({ host: input.host, program: input.binary }));
    }),
  },
  ReportServicePayload: { minimumComputeVersion: minimumAfter },
  Service: {
    id: (service) => renderNodeId('Service', keyOfService(service)),
    binary: ({ program }) => program,
  },
  ServiceConnection: connectionResolvers,
} satisfies Resolvers;

/** With an idempotency key, it is part of the stored answer. Otherwise it is read only if selected, because most reports do not select it. */
function minimumAfter(
  { minimumComputeVersion: written }: { readonly minimumComputeVersion?: Optional<number> },
  _: unknown,
  scope: RequestScope,
) {
  return written === undefined ? minimumComputeVersion(scope) : written;
}
