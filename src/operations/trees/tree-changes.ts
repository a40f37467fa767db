// Describes the changes of the write of a tree in the terms of events, in the order of its input.
import type { ChangedNoun, Changes } from '../../domain/event.ts';
import { describeChange, type EventChange } from '../../domain/event-changes.ts';

/**
 * First the providers with these names in this order, then others by name, then consumers, then names that were created.
 * `nameOf`: names by uuid.
 */
export function describeTreeChanges(changes: Changes, names: readonly string[], nameOf: Readonly<Record<string, string>>): EventChange[] {
  const places = new Map(names.map((name, place) => [name, place]));
  const orderOf: Partial<Record<ChangedNoun, (one: string, other: string) => number>> = {
    // The changes contain no name for providers that were not renamed.
    providers: (one, other) => {
      const [name = '', another = ''] = [nameOf[one], nameOf[other]];
      return (places.get(name) ?? names.length) - (places.get(another) ?? names.length) || compare(name, another);
    },
  };
  const nouns = ['providers', 'consumers', 'traits', 'resourceClasses'] as const;
  return nouns.flatMap((noun) =>
    Object.entries(changes[noun] ?? {})
      .sort(([one], [other]) => (orderOf[noun] ?? compare)(one, other))
      .map(([key, { before, after }]) => describeChange({ noun, key, before, after, root: null }, null)),
  );
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
