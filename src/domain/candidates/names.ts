// The names of one kind, such as resource classes, and their ids.

/** A bidirectional map of names and ids of one kind. */
export class Names<Named extends { readonly id: number; readonly name: string }> {
  private byId: ReadonlyMap<number, Named> = new Map();
  private byName: ReadonlyMap<string, Named> = new Map();

  replace(all: readonly Named[]): void {
    this.byId = new Map(all.map((named) => [named.id, named]));
    this.byName = new Map(all.map((named) => [named.name, named]));
  }

  /** The id of a name; undefined if the name is unknown. */
  idOf(name: string): number | undefined {
    return this.byName.get(name)?.id;
  }

  get(id: number): Named | undefined {
    return this.byId.get(id);
  }

  every(): Iterable<Named> {
    return this.byId.values();
  }
}
