// Previews a change of inventories, writes it, and undoes it. Claims in between change generations, but not inventories: they hinder neither a write nor its
// undo. What somebody else has set is never overwritten.
import { ask } from '../data/ask.ts';
import { bounds } from '../data/bounds.ts';
import { slicesOf } from '../parts/grouped.ts';
import { PatchInventories, type PatchInventoriesInput, PresentInventories, type PresentInventoriesQuery } from './actions.generated.ts';
import {
  type Change,
  canUndo,
  countWords,
  expected,
  findingOf,
  hasValues,
  type Patch,
  type Patched,
  undoOf,
  writtenWords,
} from './inventory-patch.ts';
import { newKey, type Outcome, outcomeOf, refusalWords } from './outcome.ts';

/** A write with the answer of its preview. */
export interface PreviewedPatch {
  readonly input: PatchInventoriesInput;
  readonly patched: Patched;
  /** Of the write, so that it happens once, however often it is sent. */
  readonly key: string;
}

/** How often a write or its preview is sent if claims keep changing the generations. */
const attempts = 5;

export async function previewPatch(input: PatchInventoriesInput): Promise<PreviewedPatch | null> {
  let previewed = await previewOnce(input);
  for (let attempt = 1; attempt < attempts && isConflict(previewed?.patched); attempt++) previewed = await previewOnce(input);
  return previewed;
}

/** Previews a patch, then once more with the generations that it found, so that the write is as the preview says, or refused. */
async function previewOnce(input: PatchInventoriesInput): Promise<PreviewedPatch | null> {
  const key = newKey();
  const preview = { ...input, dryRun: true };
  const { patchInventories: found } = await ask(PatchInventories, { input: preview });
  if (!found?.changes?.length) return found && { input, patched: found, key };
  const exact = { ...preview, select: { many: expected(found.changes) } };
  const { patchInventories: patched } = await ask(PatchInventories, { input: exact });
  // What the second preview names is what is written; the first one knows how many have the values already.
  return patched && { input: exact, patched: { ...patched, matchedCount: found.matchedCount }, key };
}

/** Writes what the preview has shown, all or nothing. */
export async function writePatch({ input, patched: { changes }, key }: PreviewedPatch): Promise<Outcome> {
  const shown = changes ?? [];
  let patched = await patchMany(input, input.patch, expected(shown), key);
  for (let attempt = 1; attempt < attempts && isConflict(patched); attempt++) {
    const present = await presentOf(shown, input.resourceClass);
    const found = findingOf(shown, present, input.patch);
    if (found === 'written') return outcomeOf([], doneOf(shown, input));
    if (found === 'changed') break;
    patched = await patchMany(input, input.patch, [...present.values()].map(asRead));
  }
  return outcomeOf(patched?.userErrors, doneOf(patched?.changes ?? [], input));
}

const doneOf = (written: readonly Change[], input: PatchInventoriesInput) => ({
  said: `Changed ${countWords(written.length)}.`,
  undo: canUndo(written, input.patch) ? { what: writtenWords(written, input), run: () => undoPatch(written, input) } : null,
});

type Many = NonNullable<PatchInventoriesInput['select']['many']>;

async function patchMany({ resourceClass }: PatchInventoriesInput, patch: Patch, many: Many, key = newKey()): Promise<Patched | null> {
  const input = { select: { many }, resourceClass, patch, expectedCount: many.length, dryRun: false, idempotencyKey: key };
  return (await ask(PatchInventories, { input })).patchInventories;
}

const isConflict = (patched: Patched | null | undefined): boolean =>
  patched?.userErrors.some(({ code }) => code === 'PROVIDER_CONFLICT') ?? false;

type Present = PresentInventoriesQuery['resourceProviders']['nodes'][number];

const asRead = ({ uuid, generation }: Present): Many[number] => ({ resourceProvider: uuid, expect: { generation } });

async function presentOf(changes: readonly Change[], resourceClass: string): Promise<ReadonlyMap<string, Present>> {
  const uuids = changes.map(({ resourceProviderUuid }) => resourceProviderUuid);
  const answers = await Promise.all(
    slicesOf(uuids, bounds.filterKeys).map((slice) => ask(PresentInventories, { uuids: slice, resourceClass })),
  );
  return new Map(answers.flatMap(({ resourceProviders }) => resourceProviders.nodes.map((node) => [node.uuid, node])));
}

/** Restores the former value of each inventory that still has the written one. The others are left alone, and named. */
async function undoPatch(changes: readonly Change[], input: PatchInventoriesInput): Promise<Outcome> {
  const left: string[] = [];
  for (const former of undoOf(changes, input.patch)) left.push(...(await restore(former, input)));
  const count = changes.length - left.length;
  const said = left.length === 0 ? 'Undone: everything is as it was before.' : `Undone for ${countWords(count)}, but not for these:`;
  return { refusals: [], done: { said, left, undo: null } };
}

/** One write of an undo; what it leaves alone, and why. */
async function restore({ patch, changes }: ReturnType<typeof undoOf>[number], input: PatchInventoriesInput): Promise<string[]> {
  const left: string[] = [];
  const leave = (some: readonly Change[], why: string) =>
    left.push(...some.map(({ resourceProvider, resourceProviderUuid }) => `${resourceProvider?.name ?? resourceProviderUuid}: ${why}`));
  let open = changes;
  let why = 'others write to it all the time';
  for (let attempt = 0; attempt < attempts && open.length > 0; attempt++) {
    const present = await presentOf(open, input.resourceClass);
    const inventoryOf = ({ resourceProviderUuid }: Change) => present.get(resourceProviderUuid)?.inventory ?? null;
    // An undo that was interrupted has restored some of them.
    const others = open.filter((change) => !hasValues(inventoryOf(change), patch));
    const isOurs = (change: Change) => hasValues(inventoryOf(change), input.patch);
    leave(
      others.filter((change) => !isOurs(change)),
      'somebody has changed it since',
    );
    open = others.filter(isOurs);
    if (open.length === 0) break;
    const many = open.flatMap(({ resourceProviderUuid }) => present.get(resourceProviderUuid) ?? []).map(asRead);
    const patched = await patchMany(input, patch, many);
    if (patched?.userErrors.length === 0) open = [];
    else if (!isConflict(patched)) {
      why = patched?.userErrors.map(refusalWords).join(' ') ?? 'you may not write it';
      break;
    }
  }
  leave(open, why);
  return left;
}
