// Walks through the contract: the selections of everything below a type, and what answers contain. Knows no noun.
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';

export type Field = GraphQLField<unknown, unknown>;

const isList = ({ type }: Field) => isListType(isNonNullType(type) ? type.ofType : type);
export const fieldsOf = (type: GraphQLNamedType): Field[] =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];

/** Selections in one schema, with the arguments that fields are given. Fails for a field with a required argument that is not given. */
export class Crawl {
  /** The fields that were selected so far, as Type.field. */
  readonly selected = new Set<string>();
  readonly #schema: GraphQLSchema;
  readonly #given: Readonly<Record<string, string>>;

  constructor(schema: GraphQLSchema, given: Readonly<Record<string, string>>) {
    this.#schema = schema;
    this.#given = given;
  }

  /** Paths down from a type over at most so many lists, each with all plain values at its end. */
  *waysDown(type: GraphQLNamedType, levels: number, lists: number): Generator<string> {
    yield this.#leavesOf(type);
    if (levels === 0) return;
    for (const member of this.#membersOf(type)) {
      for (const way of this.waysDown(member, levels - 1, lists)) yield `... on ${member.name} { __typename ${way} }`;
    }
    for (const field of fieldsOf(type)) {
      const next = getNamedType(field.type);
      const left = isList(field) ? lists - 1 : lists;
      if (!isCompositeType(next) || isRepetition(field) || left < 0) continue;
      for (const way of this.waysDown(next, levels - 1, left)) yield this.call(type, field, way);
    }
  }

  /** The shortest paths, not through some types, from the fields of a type to each field that was not yet selected. */
  *waysToRest(root: GraphQLNamedType, besides: readonly string[]): Generator<string> {
    const seen = new Set(besides.map((name) => this.#schema.getType(name)));
    const queue = [{ type: root, around: (way: string) => way }];
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) {
      const { type, around } = step;
      if (seen.has(type)) continue;
      seen.add(type);
      for (const member of this.#membersOf(type))
        queue.push({ type: member, around: (way) => around(`... on ${member.name} { __typename ${way} }`) });
      for (const field of fieldsOf(type)) {
        const next = getNamedType(field.type);
        if (!isCompositeType(next) || isRepetition(field)) continue;
        const isNew = !this.selected.has(`${type.name}.${field.name}`);
        if (isNew) yield around(this.call(type, field, this.#leavesOf(next)));
        queue.push({ type: next, around: (way) => around(this.call(type, field, way)) });
      }
    }
  }

  /** A field with its arguments and what is selected below it. */
  call(owner: GraphQLNamedType, field: Field, below: string): string {
    const name = `${owner.name}.${field.name}`;
    const args = this.#given[name];
    const needed = field.args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);
    if (args === undefined && needed.length > 0) throw new Error(`${name} needs ${needed.map((argument) => argument.name)}`);
    this.selected.add(name);
    const isComposite = isCompositeType(getNamedType(field.type));
    return `${field.name}${args ? `(${args})` : ''}${isComposite ? ` { __typename ${below} }` : ''}`;
  }

  /** Every list of the contract below a type, as Type.field. */
  listsBelow(root: GraphQLNamedType, seen = new Set<GraphQLNamedType>()): string[] {
    if (seen.has(root)) return [];
    seen.add(root);
    const own = isObjectType(root) ? fieldsOf(root).filter((field) => isList(field) && !isRepetition(field)) : [];
    const next = [...this.#membersOf(root), ...fieldsOf(root).map(({ type }) => getNamedType(type))];
    return [...own.map(({ name }) => `${root.name}.${name}`), ...next.flatMap((type) => this.listsBelow(type, seen))];
  }

  #leavesOf(type: GraphQLNamedType): string {
    return fieldsOf(type)
      .filter((field) => !isCompositeType(getNamedType(field.type)))
      .map((field) => this.call(type, field, ''))
      .join(' ');
  }

  #membersOf(type: GraphQLNamedType): readonly GraphQLNamedType[] {
    if (isUnionType(type)) return type.getTypes();
    return isInterfaceType(type) ? this.#schema.getPossibleTypes(type) : [];
  }
}

/** Connections have their objects also in `edges`. */
function isRepetition({ name }: Field): boolean {
  return name === 'edges' || name === 'pageInfo';
}

/** What an answer contains. */
export class Contents {
  /** Objects as the cost counts them: each counts 1, and so do ten values of a list, or a hundred of a column. */
  objects = 0;
  /** Lists with elements, as Type.field. */
  readonly lists = new Set<string>();

  constructor(root: string, data: Readonly<Record<string, unknown>>) {
    this.#addObject({ __typename: root, ...data });
    this.objects -= 1;
  }

  #add(value: unknown, weight: number): void {
    if (Array.isArray(value)) for (const one of value) this.#add(one, weight);
    else if (typeof value === 'object' && value !== null) this.#addObject(value as Readonly<Record<string, unknown>>);
    else this.objects += weight;
  }

  #addObject({ __typename, ...fields }: Readonly<Record<string, unknown>>): void {
    this.objects += 1;
    for (const [name, value] of Object.entries(fields)) {
      if (Array.isArray(value) && value.length > 0) this.lists.add(`${__typename}.${name}`);
      if (typeof value === 'object' && value !== null) this.#add(value, String(__typename).startsWith('CloudMap') ? 0.01 : 0.1);
    }
  }
}
