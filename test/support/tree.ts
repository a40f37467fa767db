// The notation for trees in tests. A line is a provider, indented below its parent:
//
//   cn1        VCPU 16 used 4, MEMORY_MB 32768 reserved 512 ratio 1.5    COMPUTE_NODE    @rack1
//     numa0    CORE 8 min 2 max 8 step 2                                 HW_NUMA_ROOT
//   ss1        DISK_GB 2000                                              SHARING         @rack1
//
// A class is followed by its total and the fields that differ from the defaults; other words in capitals are traits; @ marks an aggregate.
// Non-standard names are custom ones, so CORE is CUSTOM_CORE. Converts drawings to plain descriptions, forests and rows.
import type { Db } from '../../src/db/sql/client.ts';
import { Forest, type ProviderState } from '../../src/domain/candidates/forest.ts';
import { capacityOf, type InventoryRecord, maxAmount } from '../../src/domain/inventory.ts';
import { sharingTrait, supposedProvider } from '../../src/domain/provider.ts';
import { standardResourceClasses } from '../../src/domain/standard-resource-classes.ts';
import { standardTraits } from '../../src/domain/standard-traits.ts';
import { createSeed, uuidOf } from './seed.ts';

export interface DrawnInventory extends InventoryRecord {
  readonly resourceClass: string;
  readonly used: number;
}

/** One line of a drawing. */
export interface DrawnProvider {
  readonly name: string;
  /** The name of the parent; null for a root. */
  readonly parent: string | null;
  readonly inventories: readonly DrawnInventory[];
  /** Full names. */
  readonly traits: readonly string[];
  /** Names; the uuid of each is `uuidOf(name)`. */
  readonly aggregates: readonly string[];
}

const standardClassNames = new Set(standardResourceClasses.map(({ name }) => name));
const standardTraitNames = new Set(standardTraits);
const fields = { used: 'used', reserved: 'reserved', ratio: 'allocationRatio', min: 'minUnit', max: 'maxUnit', step: 'stepSize' } as const;

/** The full name of a class in a drawing. */
export function classNamed(word: string): string {
  return standardClassNames.has(word) ? word : customNamed(word);
}

/** The full name of a trait in a drawing; SHARING is the trait of sharing providers. */
export function traitNamed(word: string): string {
  if (word === 'SHARING') return sharingTrait;
  return standardTraitNames.has(word) ? word : customNamed(word);
}

function customNamed(word: string): string {
  return word.startsWith('CUSTOM_') ? word : `CUSTOM_${word}`;
}

/** An inventory with defaults for all other fields. */
export function drawnInventory(resourceClass: string, total: number, rest: Partial<DrawnInventory> = {}): DrawnInventory {
  return { resourceClass, total, used: 0, reserved: 0, minUnit: 1, maxUnit: maxAmount, stepSize: 1, allocationRatio: 1, ...rest };
}

/** The providers of a drawing, in its order, parents first. Throws on unknown words. */
export function readDrawing(drawing: string): DrawnProvider[] {
  const above: { readonly indent: number; readonly name: string }[] = [];
  return drawing
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const indent = line.search(/\S/);
      while (above.length > 0 && (above.at(-1)?.indent ?? 0) >= indent) above.pop();
      const [name = '', ...words] = line.trim().split(/[\s,]+/);
      const parent = above.at(-1)?.name ?? null;
      above.push({ indent, name });
      return { name, parent, ...readWords(words) };
    });
}

function readWords(words: readonly string[]): Pick<DrawnProvider, 'inventories' | 'traits' | 'aggregates'> {
  const inventories: DrawnInventory[] = [];
  const traits: string[] = [];
  const aggregates: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const number = Number(words[at + 1]);
    const last = inventories.at(-1);
    if (word.startsWith('@')) aggregates.push(word.slice(1));
    else if (word in fields && last) {
      inventories[inventories.length - 1] = { ...last, [fields[word as keyof typeof fields]]: number };
      at++;
    } else if (!/^[A-Z0-9_]+$/.test(word)) throw new Error(`${word} means nothing in a drawing`);
    else if (Number.isNaN(number)) traits.push(traitNamed(word));
    else {
      inventories.push(drawnInventory(classNamed(word), number));
      at++;
    }
  }
  return { inventories, traits, aggregates };
}

/** The drawing of providers, each below its parent: the inverse of `readDrawing`. */
export function drawingOf(drawn: readonly DrawnProvider[]): string {
  const draw = (parent: string | null, indent: string): string[] =>
    drawn
      .filter((provider) => provider.parent === parent)
      .flatMap(({ name, inventories, traits, aggregates }) => [
        `${indent}${[name, inventories.map(inventoryWords).join(', '), ...traits, ...aggregates.map((aggregate) => `@${aggregate}`)].join('  ')}`,
        ...draw(name, `${indent}  `),
      ]);
  return draw(null, '').join('\n');
}

function inventoryWords(inventory: DrawnInventory): string {
  const plain = drawnInventory(inventory.resourceClass, inventory.total);
  const special = Object.entries(fields).filter(([, field]) => inventory[field] !== plain[field]);
  return [inventory.resourceClass, inventory.total, ...special.flatMap(([word, field]) => [word, inventory[field]])].join(' ');
}

/** The forest of a drawing: providers have the ids 1, 2, ... in its order, and as uuid `uuidOf` their name. */
export function forestOf(drawing: string | readonly DrawnProvider[]): Forest {
  const drawn = typeof drawing === 'string' ? readDrawing(drawing) : drawing;
  const forest = new Forest();
  const names = namesOf(drawn);
  forest.setNames(names);
  forest.apply({ changed: statesOf(drawn, names), removed: [] });
  return forest;
}

type DrawnNames = ReturnType<typeof namesOf>;

/** All standard names, and the custom ones of drawings. */
function namesOf(drawn: readonly DrawnProvider[]) {
  const customClasses = namesApart(
    drawn.flatMap(({ inventories }) => inventories.map(({ resourceClass }) => resourceClass)),
    standardClassNames,
  );
  const customTraits = namesApart(
    drawn.flatMap(({ traits }) => traits),
    standardTraitNames,
  );
  const aggregates = namesApart(
    drawn.flatMap((provider) => provider.aggregates),
    new Set(),
  );
  return {
    resourceClasses: [...standardResourceClasses, ...customClasses.map((name, index) => ({ id: 10_000 + index, name }))],
    traits: [...standardTraits, ...customTraits].map((name, index) => ({ id: index + 1, name })),
    aggregates: aggregates.map((name, index) => ({ id: index + 1, uuid: uuidOf(name), name })),
  };
}

function namesApart(names: readonly string[], known: ReadonlySet<string>): string[] {
  return [...new Set(names)].filter((name) => !known.has(name)).sort();
}

/** Drawn providers as changes for a forest. */
function statesOf(drawn: readonly DrawnProvider[], names: DrawnNames): ProviderState[] {
  const idOf = new Map(drawn.map(({ name }, index) => [name, index + 1]));
  const parentOf = new Map(drawn.map(({ name, parent }) => [name, parent]));
  const rootOf = (name: string): string => {
    const parent = parentOf.get(name);
    return parent ? rootOf(parent) : name;
  };
  const classIds = new Map(names.resourceClasses.map(({ id, name }) => [name, id]));
  const traitIds = new Map(names.traits.map(({ id, name }) => [name, id]));
  const aggregateIds = new Map(names.aggregates.map(({ id, name }) => [name, id]));
  const at = '2026-01-01T00:00:00Z';
  return drawn.map(({ name, parent, inventories, traits, aggregates }) => {
    const id = idIn(idOf, name);
    return {
      provider: supposedProvider(
        { id, uuid: uuidOf(name), name, parentId: parent === null ? null : idIn(idOf, parent), rootId: idIn(idOf, rootOf(name)) },
        at,
      ),
      inventories: inventories
        .map(({ resourceClass, ...rest }) => ({
          ...rest,
          providerId: id,
          classId: idIn(classIds, resourceClass),
          className: resourceClass,
          capacity: capacityOf(rest),
          promised: 0,
          updatedAt: at,
        }))
        .sort((a, b) => a.classId - b.classId),
      traitIds: traits.map((trait) => idIn(traitIds, trait)),
      aggregateIds: aggregates.map((aggregate) => idIn(aggregateIds, aggregate)),
    };
  });
}

function idIn(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`${name} stands nowhere in the drawing`);
  return id;
}

/** Writes a drawing into a database through the product. The usage of each provider belongs to one consumer, `user of <provider>`. */
export async function plantTrees(db: Db, drawing: string | readonly DrawnProvider[]): Promise<void> {
  const seed = createSeed(db);
  for (const { name, parent, inventories, traits, aggregates } of typeof drawing === 'string' ? readDrawing(drawing) : drawing) {
    await seed.provider(name, { ...(parent !== null && { parent }), traits, aggregates });
    const used = Object.fromEntries(inventories.filter((inventory) => inventory.used > 0).map((i) => [i.resourceClass, i.used]));
    if (Object.keys(used).length > 0) {
      // Usage may violate the drawn limits, so it is written before them.
      await seed.inventories(name, used);
      await seed.claim(`user of ${name}`, { [name]: used });
    }
    if (inventories.length > 0) {
      await seed.inventories(name, Object.fromEntries(inventories.map(({ resourceClass, used: _, ...record }) => [resourceClass, record])));
    }
  }
}
