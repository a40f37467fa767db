// Folds neighbouring events of the same kind, so that a list of thousands of claims still shows what happened.

export interface Foldable {
  readonly kind: string;
  readonly requestedBy: { readonly externalId: string } | null;
  readonly requestedFor: { readonly externalId: string } | null;
}

const sameStory = (one: Foldable, other: Foldable) =>
  one.kind === other.kind &&
  one.requestedBy?.externalId === other.requestedBy?.externalId &&
  one.requestedFor?.externalId === other.requestedFor?.externalId;

/** Runs of neighbours of one kind by one writer for one project, in their order. */
export function foldEvents<Event extends Foldable>(events: readonly Event[]): [Event, ...Event[]][] {
  const runs: [Event, ...Event[]][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run && sameStory(run[0], event)) run.push(event);
    else runs.push([event]);
  }
  return runs;
}
