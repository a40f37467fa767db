// Sets a trait on providers or removes it, and undoes that, in whatever state they are: claims raise their generations, and their other traits stay.
import { ask } from '../data/ask.ts';
import { PatchTraits, type PatchTraitsInput } from './actions.generated.ts';
import { countHosts } from './inventory-patch.ts';
import { newKey, type Outcome, outcomeOf } from './outcome.ts';
import { type Draft, goneWords, traitsOf, traitWords } from './trait-draft.ts';

/** All or nothing. */
export async function writeTrait(uuids: readonly string[], draft: Draft, key: string): Promise<Outcome> {
  const input: PatchTraitsInput = {
    select: { many: uuids.map((resourceProvider) => ({ resourceProvider, expect: { unchecked: true } })) },
    ...traitsOf(draft),
    expectedCount: uuids.length,
    dryRun: false,
    idempotencyKey: key,
  };
  const { patchTraits } = await ask(PatchTraits, { input });
  const changes = patchTraits?.changes ?? [];
  const [first] = changes;
  const where = changes.length === 1 ? (first?.resourceProvider?.name ?? countHosts(1)) : countHosts(changes.length);
  return outcomeOf(patchTraits?.userErrors, {
    said: uuids.length === 1 ? 'Written.' : `Changed ${countHosts(changes.length)}.`,
    // Whoever had it already keeps it.
    undo: first ? { what: traitWords(draft, where), run: () => undoTrait(changes, draft) } : null,
  });
}

async function undoTrait(changes: readonly { readonly resourceProviderUuid: string }[], { trait, isTaken }: Draft): Promise<Outcome> {
  const uuids = changes.map(({ resourceProviderUuid }) => resourceProviderUuid);
  const input: PatchTraitsInput = {
    select: { filter: { uuids } },
    ...traitsOf({ trait, isTaken: !isTaken }),
    dryRun: false,
    idempotencyKey: newKey(),
  };
  const { patchTraits } = await ask(PatchTraits, { input });
  const gone = uuids.length - (patchTraits?.matchedCount ?? 0);
  const said = gone === 0 ? 'Undone: the traits are as they were before.' : `Undone, but ${goneWords(gone)}.`;
  return outcomeOf(patchTraits?.userErrors, { said, undo: null });
}
