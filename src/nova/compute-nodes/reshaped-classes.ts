// Classes that older releases of Nova kept on the node itself and newer ones keep on its children: virtual GPUs on their cards, contexts of encrypted memory
// on their models. The first report with such children moves inventories and allocations down, in the same write. Only the host knows which card serves a
// consumer, so its report names the consumers of each card. Contexts on the node itself are of AMD SEV, the only model that Nova had then.
import { invalidInput, type Problem, problemOf, Refusal } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { ProviderState } from '../../domain/reported-tree.ts';
import type { ConsumerAllocations } from '../../operations/allocations/allocation-writes.ts';
import { listConsumerUuids } from '../../operations/allocations/consumers.ts';
import { findHolders, type Holder, summed } from '../../operations/allocations/holdings.ts';
import type { RequestScope } from '../../operations/scope/scope.ts';
import { type ComputeNodeReport, memoryEncryptionClass, vgpuClass } from './compute-node-report.ts';
import type { Used } from './device-inventories.ts';
import { suffixOfCard, suffixOfModel } from './node-tree.ts';

/** An amount of a class that a consumer gets on a child of the node; `suffix` ends the name of the child. */
interface Arrival {
  readonly suffix: string;
  readonly resourceClass: string;
  readonly amount: number;
}

/** The classes that leave the node itself, and where their consumers get them. */
export interface Reshape {
  readonly classes: readonly string[];
  readonly moves: readonly { readonly holder: Holder; readonly arrivals: readonly Arrival[] }[];
}

const fields = { [vgpuClass]: 'vgpus', [memoryEncryptionClass]: 'memoryEncryption' } as const;
type Moved = keyof typeof fields;

const advice: Readonly<Record<Moved, string>> = {
  [vgpuClass]: 'Name them as `consumers` of the cards that serve them.',
  [memoryEncryptionClass]: 'They have contexts of AMD SEV, so report that model.',
};

/**
 * What a report moves from the node itself. Two statements if any of it is in use, otherwise none. Refuses IN_USE if the report does not say where it moves to.
 */
export async function planReshape(scope: RequestScope, report: ComputeNodeReport, root: ProviderState | null): Promise<Reshape> {
  const classes = ([vgpuClass, memoryEncryptionClass] as const).filter(
    (name) => root && Object.hasOwn(root.inventories, name) && report[fields[name]]?.some(({ total }) => total > 0),
  );
  if (!root || !classes.some((name) => (root.used[name] ?? 0) > 0)) return { classes, moves: [] };
  const holdsAny = { resourceProviders: [root.uuid], or: classes.map((name) => ({ resourceClasses: [name] })) };
  const uuids = await listConsumerUuids(scope, holdsAny, limits.treeConsumers);
  if (!uuids) throw invalidInput([], `the node itself has more than ${limits.treeConsumers} consumers: move or release some of them first`);
  const moves = [...(await findHolders(scope, uuids)).values()].map((holder) => {
    const held = classes.filter((name) => holds(holder, root.uuid, name));
    return { holder, held, arrivals: held.flatMap((name) => arrivalsOf(report, holder.uuid, name)) };
  });
  const problems = classes.flatMap((name) => {
    const lost = moves.filter(({ held, arrivals }) => held.includes(name) && !arrivals.some(({ resourceClass }) => resourceClass === name));
    return lost.length > 0
      ? placeMissing(
          root.uuid,
          name,
          lost.map(({ holder }) => holder.uuid),
        )
      : [];
  });
  if (problems.length > 0) throw new Refusal(problems);
  return { classes, moves: moves.filter(({ arrivals }) => arrivals.length > 0) };
}

function holds({ allocations }: Holder, provider: string, name: string): boolean {
  return allocations.some(
    ({ resourceProvider, resources }) => resourceProvider === provider && resources.some(({ resourceClass }) => resourceClass === name),
  );
}

/** Where a consumer gets what it holds of a class on the node itself: as much as the host says, even if that is not what it holds. */
function arrivalsOf({ vgpus, memoryEncryption }: ComputeNodeReport, holder: string, resourceClass: Moved): Arrival[] {
  if (resourceClass === memoryEncryptionClass) {
    const hasModel = memoryEncryption?.some(({ model, total }) => model === 'AMD_SEV' && total > 0);
    return hasModel ? [{ suffix: suffixOfModel('AMD_SEV'), resourceClass, amount: 1 }] : [];
  }
  return (vgpus ?? []).flatMap(({ address, consumers }) =>
    (consumers ?? []).flatMap(({ consumer, amount }) =>
      consumer === holder ? { suffix: suffixOfCard(address), resourceClass, amount } : [],
    ),
  );
}

function placeMissing(provider: string, key: Moved, consumers: readonly string[]): Problem {
  const details = { noun: 'inventory', key, provider, by: consumers.slice(0, 10), count: consumers.length } as const;
  const message = `${consumers.length} consumers hold ${key} on the node itself, and the report does not say where it moves to. ${advice[key]}`;
  return problemOf({ code: 'IN_USE', details }, [fields[key]], message);
}

/** What arrives on each child, by the end of its name. */
export function arrivingOn({ moves }: Reshape): ReadonlyMap<string, Used> {
  const arriving = new Map<string, Record<string, number>>();
  for (const { suffix, resourceClass, amount } of moves.flatMap(({ arrivals }) => arrivals)) {
    const amounts = arriving.get(suffix) ?? {};
    arriving.set(suffix, { ...amounts, [resourceClass]: (amounts[resourceClass] ?? 0) + amount });
  }
  return arriving;
}

/** The allocations of the consumers after the move. `childWith`: the uuid of the child whose name has this end. */
export function movedAllocations({ classes, moves }: Reshape, root: string, childWith: (suffix: string) => string): ConsumerAllocations[] {
  return moves.map(({ holder: { uuid, generation, allocations }, arrivals }) => {
    const arriving = arrivals.map(({ suffix, resourceClass, amount }) => {
      return { resourceProvider: childWith(suffix), resources: [{ resourceClass, amount }] };
    });
    const rewritten = new Set([root, ...arriving.map(({ resourceProvider }) => resourceProvider)]);
    const kept = allocations.flatMap(({ resourceProvider, resources }) => {
      const left = resources.filter(({ resourceClass }) => !rewritten.has(resourceProvider) || !classes.includes(resourceClass));
      return left.length > 0 ? { resourceProvider, resources: left } : [];
    });
    return { consumer: uuid, expect: { generation }, hold: { allocations: summed([...kept, ...arriving]) } };
  });
}
