// Nova's services and their versions.
import { minimumComputeVersion, parseService, removeService, reportService } from '../../nova/services/services.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const serviceResolvers = {
  Query: {
    minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope),
  },
  Mutation: {
    reportService: mutation({ changed: false }, async (input, scope) => ({ changed: await reportService(scope, parseService(input)) })),
    removeService: mutation({ removed: false }, async (input, scope) => ({ removed: await removeService(scope, input) })),
  },
  // Read only when asked for: most who report do not.
  ReportServicePayload: { minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope) },
  RemoveServicePayload: { minimumComputeVersion: (_, __, scope) => minimumComputeVersion(scope) },
} satisfies Resolvers;
