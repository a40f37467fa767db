// Reservations: what is kept for projects, from one moment to another.
import { listReservations } from '../../operations/allocations/reservations.ts';
import { releaseReservation, replaceReservation } from '../../operations/candidates/reservations.ts';
import { connectionResolvers } from '../connections.ts';
import type { Resolvers } from '../schema.generated.ts';
import { mutation } from './mutation.ts';

export const reservationResolvers = {
  Query: {
    reservation: (_, { uuid }, { loaders }) => loaders.reservationByUuid.load(uuid),
    reservations: (_, args, scope) => listReservations(scope, args),
  },
  Mutation: {
    replaceReservation: mutation({ reservation: null }, (input, scope) => replaceReservation(scope, input)),
    releaseReservation: mutation({ releasedUuid: null }, (input, scope) => releaseReservation(scope, input)),
  },
  Consumer: {
    reservation: ({ reservation }, _, { loaders }) => (reservation ? loaders.reservationByUuid.load(reservation) : null),
  },
  Inventory: { promised: ({ promised = 0 }) => promised },
  Reservation: {
    project: ({ project }) => ({ externalId: project }),
    amounts: ({ id }, _, { loaders }) => loaders.amountsByReservation.load(id),
    consumerCount: async ({ id }, _, { loaders }) => (await loaders.consumersByReservation.load(id))?.count ?? 0,
  },
  ReservedAmount: {
    resourceProvider: ({ provider }, _, { loaders, ownProject }) => (ownProject === null ? loaders.providerByUuid.load(provider) : null),
    resourceClassName: ({ resourceClass }) => resourceClass,
  },
  ReservationConnection: connectionResolvers,
} satisfies Resolvers;
