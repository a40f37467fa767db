// Checks the input of writes before it reaches the database. Each check adds its problems to one list, so that a caller learns of all of them at
// once. Uuids are already canonical: the APIs parse them.
import type { Expected } from '../../db/writes/contract.ts';
import { invalidProblem, type Problem, Refusal } from '../../domain/errors.ts';
import type { Optional, Path } from '../../domain/input.ts';
import { type CompleteInventory, type InventoryRecord, inventoryFaults, maxAmount } from '../../domain/inventory.ts';
import { limits } from '../../domain/limits.ts';
import { findTextFault, maxNameLength, resourceClassNameFault, traitNameFault } from '../../domain/text.ts';

interface Expectation {
  readonly generation?: Optional<number>;
  readonly isNew?: Optional<boolean>;
  readonly unchecked?: Optional<boolean>;
}

/** What a `create…` does if the object exists: REFUSE when absent. */
export type IfExists = 'REFUSE' | 'RETURN';

export interface ProviderExpectation {
  readonly generation?: Optional<number>;
  readonly unchecked?: Optional<boolean>;
}

/** An inventory as given by a caller: omitted fields take their defaults, not their old values. */
export type InventoryInput = { readonly resourceClass: string; readonly total: number } & {
  readonly [Field in Exclude<keyof InventoryRecord, 'total'>]?: Optional<InventoryRecord[Field]>;
};

/** The maximum length of the name of a provider or aggregate, in characters. */
const maxProviderNameLength = limits.nameLength;

/** Collects the problems of one input. */
export class InputCheck {
  readonly #problems: Problem[] = [];

  add(path: Path, message: string): void {
    this.#problems.push(invalidProblem(path, message));
  }

  get isClean(): boolean {
    return this.#problems.length === 0;
  }

  /** Throws a Refusal with all problems, if there are any. */
  done(): void {
    if (this.#problems.length > 0) throw new Refusal(this.#problems.slice(0, limits.problemsReported));
  }

  /** Bounds the length of a list. Lists that are too long are refused before their items are checked. */
  size(path: Path, list: readonly unknown[], smallest: number, largest: number): void {
    if (list.length >= smallest && list.length <= largest) return;
    this.add(path, `must have ${smallest} to ${largest} elements, has ${list.length}`);
    this.done();
  }

  text(path: Path, text: Optional<string>, maxLength: number): void {
    if (typeof text === 'string') this.#fault(path, findTextFault(text, { maxLength }));
  }

  /** The name of a provider or aggregate. */
  name(path: Path, name: Optional<string>): void {
    this.text(path, name, maxProviderNameLength);
  }

  /** External ids, types and the like: each at most as long as the name of a trait or class. */
  texts(path: Path, texts: Optional<readonly string[]>): void {
    texts?.forEach((text, index) => {
      this.text([...path, index], text, maxNameLength);
    });
  }

  /** The parts of a filter that search for names, by field. An empty list or text is left to the filter: it matches nothing or everything. */
  nameFilters(at: Path, filters: Readonly<Record<string, Optional<string | readonly string[]>>>, maxLength: number = maxNameLength): void {
    for (const [field, given] of Object.entries(filters)) {
      if (!given) continue;
      const path = [...at, field];
      if (typeof given === 'string') {
        this.text(path, given, maxLength);
        continue;
      }
      this.size(path, given, 0, limits.filterKeys);
      given.forEach((text, index) => {
        this.text([...path, index], text, maxLength);
      });
    }
  }

  traitName(path: Path, name: string): void {
    this.#fault(path, traitNameFault(name));
  }

  className(path: Path, name: string): void {
    this.#fault(path, resourceClassNameFault(name));
  }

  fault(path: Path, fault: string | null): void {
    this.#fault(path, fault);
  }

  unique(path: Path, keys: readonly string[], place: (index: number) => Path): void {
    const seen = new Map<string, number>();
    keys.forEach((key, index) => {
      const first = seen.get(key);
      if (first === undefined) seen.set(key, index);
      else this.add([...path, ...place(index)], `${key} stands at ${first} already`);
    });
  }

  /** Checks that exactly one key is given, and that flags are true. Returns the form that write functions expect. */
  expectation(path: Path, expect: Expectation): Expected {
    const given = Object.entries(expect).filter(([, value]) => value !== null && value !== undefined);
    const [only] = given;
    if (given.length !== 1 || only === undefined) {
      this.add(path, 'must have exactly one key');
      return {};
    }
    const [key, value] = only;
    if (key === 'generation') {
      if (!Number.isSafeInteger(value) || (value as number) < 0) this.add([...path, key], 'must be a generation that was read');
      return { generation: value as number };
    }
    if (value !== true) this.add([...path, key], 'can only be true');
    return key === 'isNew' ? { isNew: true } : {};
  }

  inventories(path: Path, inventories: readonly InventoryInput[]): CompleteInventory[] {
    this.size(path, inventories, 0, limits.providerInventories);
    this.unique(
      path,
      inventories.map(({ resourceClass }) => resourceClass),
      (index) => [index, 'resourceClass'],
    );
    return inventories.map((inventory, index) => this.inventory([...path, index], inventory));
  }

  inventory(path: Path, input: InventoryInput): CompleteInventory {
    const { resourceClass, total, reserved, minUnit, maxUnit, stepSize, allocationRatio } = input;
    const inventory = {
      resourceClass,
      total,
      reserved: reserved ?? 0,
      minUnit: minUnit ?? 1,
      maxUnit: maxUnit ?? maxAmount,
      stepSize: stepSize ?? 1,
      allocationRatio: allocationRatio ?? 1,
    };
    this.className([...path, 'resourceClass'], resourceClass);
    for (const { field, message } of inventoryFaults(inventory)) this.add([...path, field], `${field} ${message}`);
    return inventory;
  }

  traits(path: Path, traits: readonly string[]): void {
    this.size(path, traits, 0, limits.providerTraits);
    traits.forEach((name, index) => {
      this.traitName([...path, index], name);
    });
  }

  #fault(path: Path, fault: string | null): void {
    if (fault !== null) this.add(path, `${path.at(-1)} ${fault}`);
  }
}
