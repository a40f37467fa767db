// The reshaper: moves inventories together with the allocations on them.
import { parseUuid } from '../../domain/uuid.ts';
import { mapInTurn } from '../../operations/request/event-loop-share.ts';
import { reshape } from '../../operations/trees/reshape.ts';
import { type ConsumerBody, parseConsumers } from '../allocation-bodies.ts';
import type { Answer, Call } from '../call.ts';
import { errorCodes, RestError } from '../rest-error.ts';
import { checkCapacity, expectationOf, type InventoriesBody, inventoriesOf } from './inventories.ts';

interface ReshaperBody {
  readonly inventories: Readonly<Record<string, InventoriesBody>>;
  readonly allocations: Readonly<Record<string, ConsumerBody>>;
}

/** POST /reshaper: all or nothing. */
export async function reshapeProviders({ scope, body, version }: Call): Promise<Answer> {
  const { inventories, allocations } = body as ReshaperBody;
  const providers = await mapInTurn(Object.entries(inventories), ([uuid, wanted]) => {
    const provider = parseUuid(uuid);
    if (provider === null) {
      const words = `Resource provider ${uuid} in inventories not found: No resource provider with uuid ${uuid} found`;
      throw new RestError(400, words, { code: errorCodes.providerNotFound });
    }
    const complete = inventoriesOf(wanted, provider);
    checkCapacity(version, provider, complete, 'Unable to update inventory');
    return {
      resourceProvider: provider,
      expect: expectationOf(wanted.resource_provider_generation),
      inventories: complete,
    };
  });
  await reshape(scope, { resourceProviders: providers, consumers: await parseConsumers(allocations, version) });
  return {};
}
