// Nova's services and their versions.
import { keyOfService } from '../../domain/service.ts';
import { listNovaServices, minimumComputeVersion, parseService, removeService, reportService } from '../../nova/services/services.ts';
import { connectionResolvers } from '../connections.ts';
import { renderNodeId } from '../node-id.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const serviceResolvers = {
  Query: {
    services: (_, args, scope) => listNovaServices(scope, args),
    minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope),
  },
  Mutation: {
    reportService: mutation({ changed: false }, async (input, scope) => ({ changed: await reportService(scope, parseService(input)) })),
    removeService: mutation({ removed: false }, async (input, scope) => ({ removed: await removeService(scope, input) })),
  },
  // Read only when asked for: most who report do not.
  ReportServicePayload: { minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope) },
  RemoveServicePayload: { minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope) },
  Service: {
    id: (service) => renderNodeId('Service', keyOfService(service)),
    binary: ({ program }) => program,
  },
  ServiceConnection: connectionResolvers,
} satisfies Resolvers;
