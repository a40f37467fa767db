// Enumerates the ways to serve a request under one anchor: backtracking over its slots, each assigned to one of its choices. An assignment is
// tried only if it is compatible with the earlier ones (group policy, same subtree, remaining room of contested classes, traits that the
// providers must have between them), so dead ends are pruned early.
//
// Slots with identical requests (a run) can swap their providers without changing the allocations. Assignments in which the providers of
// each run are in order therefore come first, since no two of them yield the same allocations; their permutations come last.
import { hasRoom, roomIn } from '../inventory.ts';
import type { ForestProvider } from './forest.ts';
import { hasAny, type Query, type Slot } from './groups.ts';
import type { Steps } from './steps.ts';

/** A slot and its position in the order of assignment. */
interface Place {
  readonly slot: Slot;
  readonly choices: readonly ForestProvider[];
  /** Whether the previous place holds a slot of the same run. */
  readonly isTwin: boolean;
  /** The number of slots of this run from this place on, this one included. */
  readonly remaining: number;
  /** By index of a choice: how many slots of the run it could serve if nothing else were taken. `roomFrom`: the sum over it and all later choices. */
  readonly room: readonly number[];
  readonly roomFrom: readonly number[];
}

/** What the slots assigned so far take from one provider. */
interface Use {
  /** The number of suffixed groups. */
  groups: number;
  /** By class id, contested classes only. */
  readonly amounts: Map<number, number>;
}

/** Costs in steps: one attempt to assign a slot, preparing a slot, and preparing a provider that may serve a run. */
const attemptCost = 3;
const placeCost = 10;
const roomCost = 3;
/** The cost, in steps, of testing whether one provider is at or above another. */
const relationCost = 5;

/** All ways to serve a request under one anchor. */
export class Combinations {
  /** The provider of each slot, by slot number; valid after `next` returned true. */
  readonly chosen: ForestProvider[];
  private readonly query: Query;
  private readonly steps: Steps;
  private readonly places: readonly Place[];
  /** The index of the choice at each place. */
  private readonly picks: number[];
  private readonly slotNumbers: readonly number[];
  private readonly uses = new Map<ForestProvider, Use>();
  /** Whether there is at most one way. */
  readonly isOnly: boolean;
  private started = false;
  private found = false;
  private inOrder = true;

  /** `choices`: the providers each run can use; no list may be empty. */
  constructor(query: Query, choices: readonly (readonly ForestProvider[])[], steps: Steps) {
    this.query = query;
    this.steps = steps;
    this.isOnly = choices.every(({ length }) => length === 1);
    const choicesOf = ({ run }: Slot) => choices[run] as readonly ForestProvider[];
    // Fewest choices first, so that dead ends show early. Slots of one run are adjacent.
    const order = [...query.slots.keys()].sort((a, b) => {
      const [left, right] = [query.slots[a] as Slot, query.slots[b] as Slot];
      return choicesOf(left).length - choicesOf(right).length || left.run - right.run || a - b;
    });
    this.slotNumbers = order;
    this.places = placesOf(
      order.map((number) => query.slots[number] as Slot),
      choicesOf,
      query.isolate,
      steps,
    );
    this.picks = this.places.map(() => 0);
    this.chosen = new Array(order.length);
  }

  /** Advances to the next assignment. False if there is none, or if the steps are spent. */
  next(): boolean {
    while (this.advance()) {
      if (!this.inOrder && this.standsInOrder()) continue;
      for (const [place, number] of this.slotNumbers.entries()) this.chosen[number] = this.providerAt(place);
      this.found = true;
      return true;
    }
    const mayPermute = this.inOrder && this.found && !this.steps.areSpent && this.places.some(({ isTwin }) => isTwin);
    if (!mayPermute) return false;
    this.inOrder = false;
    this.started = false;
    return this.next();
  }

  private advance(): boolean {
    const { places, picks, steps } = this;
    const last = places.length - 1;
    let depth = 0;
    let index = 0;
    if (this.started) {
      depth = last;
      this.count(last, -1);
      index = (picks[last] as number) + 1;
    }
    this.started = true;
    for (;;) {
      const { length } = (places[depth] as Place).choices;
      while (index < length && !steps.areSpent && !this.canGive(depth, index)) index++;
      if (steps.areSpent) return false;
      if (index < length) {
        picks[depth] = index;
        this.count(depth, 1);
        if (depth === last) return true;
        depth++;
        index = this.firstIndex(depth);
      } else {
        depth--;
        if (depth < 0) return false;
        this.count(depth, -1);
        index = (picks[depth] as number) + 1;
      }
    }
  }

  private firstIndex(depth: number): number {
    if (!this.inOrder || !this.places[depth]?.isTwin) return 0;
    return (this.picks[depth - 1] as number) + (this.query.isolate ? 1 : 0);
  }

  /** Whether the providers of each run are in order. */
  private standsInOrder(): boolean {
    return this.places.every(({ isTwin }, depth) => !isTwin || (this.picks[depth - 1] as number) <= (this.picks[depth] as number));
  }

  private providerAt(depth: number): ForestProvider {
    return this.places[depth]?.choices[this.picks[depth] as number] as ForestProvider;
  }

  /** Whether the slot at this place can take this choice, given the earlier assignments. */
  private canGive(depth: number, index: number): boolean {
    this.steps.spend(attemptCost);
    const { slot, choices } = this.places[depth] as Place;
    const provider = choices[index] as ForestProvider;
    return (
      this.leavesRoomForRun(depth, index) &&
      this.isFreeToTake(depth, slot, provider) &&
      this.canStandTogether(depth, slot, provider) &&
      this.canHaveTraits(depth, slot, provider)
    );
  }

  /** While assigning in order, the rest of a run must fit in this choice and the later ones. */
  private leavesRoomForRun(depth: number, index: number): boolean {
    const { remaining, isTwin, room, roomFrom } = this.places[depth] as Place;
    if (!this.inOrder || (remaining === 1 && !isTwin)) return true;
    let here = room[index] as number;
    for (let at = depth; this.places[at]?.isTwin && this.picks[at - 1] === index; at--) here--;
    return remaining <= here + (roomFrom[index + 1] as number);
  }

  /** Group policy, and the room that earlier slots have left of contested classes. */
  private isFreeToTake(depth: number, slot: Slot, provider: ForestProvider): boolean {
    const use = this.uses.get(provider);
    if (use) {
      if (this.query.isolate && use.groups > 0 && slot.group.suffix !== '') return false;
      for (const { classId, amount } of slot.takes) {
        const before = use.amounts.get(classId);
        if (before === undefined) continue;
        const inventory = provider.inventoryOf(classId);
        if (!inventory || !hasRoom(inventory, before + amount) || before + amount > inventory.maxUnit) return false;
      }
    }
    return !this.query.withoutNested || slot.takes.length === 0 || this.isAloneInTree(depth, provider);
  }

  private isAloneInTree(depth: number, provider: ForestProvider): boolean {
    return this.places.slice(0, depth).every(({ slot }, at) => {
      const other = this.providerAt(at);
      return slot.takes.length === 0 || other === provider || other.tree !== provider.tree;
    });
  }

  /** Records (1) or undoes (-1) the assignment of a slot to its pick. */
  private count(depth: number, sign: 1 | -1): void {
    const { contested, isolate } = this.query;
    if (contested.size === 0 && !isolate) return;
    const { slot } = this.places[depth] as Place;
    const provider = this.providerAt(depth);
    const use = this.uses.get(provider) ?? { groups: 0, amounts: new Map() };
    this.uses.set(provider, use);
    if (slot.group.suffix !== '') use.groups += sign;
    for (const { classId, amount } of slot.takes) {
      if (contested.has(classId)) use.amounts.set(classId, (use.amounts.get(classId) ?? 0) + sign * amount);
    }
  }

  /** Same-subtree: one of the providers must be at or above all others, be it one already assigned or one that may still be. */
  private canStandTogether(depth: number, slot: Slot, provider: ForestProvider): boolean {
    for (const subtree of slot.subtrees) {
      const given = [provider];
      for (let at = 0; at < depth; at++) if (this.places[at]?.slot.subtrees.includes(subtree)) given.push(this.providerAt(at));
      const isTop = (top: ForestProvider) => {
        this.steps.spend(relationCost * given.length);
        return given.every((other) => top.isAtOrAbove(other));
      };
      if (given.some(isTop)) continue;
      const mayCome = this.places.some(
        ({ slot: later, choices }, at) => at > depth && later.subtrees.includes(subtree) && choices.some(isTop),
      );
      if (!mayCome) return false;
    }
    return true;
  }

  /** Unsuffixed group: each required trait must be on one of its providers, be it one already assigned or one that may still be. */
  private canHaveTraits(depth: number, { group }: Slot, provider: ForestProvider): boolean {
    if (group.suffix !== '' || group.traits.required.length === 0 || group.traits.isMetBy(provider.traits)) return true;
    return group.traits.required.every(
      (ids) =>
        hasAny(provider.traits, ids) ||
        this.places.some(({ slot, choices }, at) => {
          if (at === depth || slot.group.suffix !== '') return false;
          if (at < depth) return hasAny(this.providerAt(at).traits, ids);
          this.steps.spend(choices.length);
          return choices.some(({ traits }) => hasAny(traits, ids));
        }),
    );
  }
}

/** The slots in order of assignment; those of one run are adjacent. */
function placesOf(slots: readonly Slot[], choicesOf: (slot: Slot) => readonly ForestProvider[], isolate: boolean, steps: Steps): Place[] {
  const places: Place[] = [];
  for (let start = 0, end = 0; start < slots.length; start = end) {
    const first = slots[start] as Slot;
    while (slots[end]?.run === first.run) end++;
    const choices = choicesOf(first);
    const rooms = end - start > 1 ? roomsOf(choices, first, isolate) : { room: [], roomFrom: [] };
    steps.spend(placeCost * (end - start) + roomCost * rooms.room.length);
    for (let at = start; at < end; at++) {
      places.push({ slot: slots[at] as Slot, choices, isTwin: at > start, remaining: end - at, ...rooms });
    }
  }
  return places;
}

function roomsOf(choices: readonly ForestProvider[], slot: Slot, isolate: boolean): Pick<Place, 'room' | 'roomFrom'> {
  const room = choices.map((provider) => (isolate ? 1 : roomFor(provider, slot)));
  const roomFrom = [...room, 0];
  for (let index = choices.length - 1; index >= 0; index--) roomFrom[index] = (room[index] as number) + (roomFrom[index + 1] as number);
  return { room, roomFrom };
}

/** How many of these slots a provider could serve at once. */
function roomFor(provider: ForestProvider, { takes }: Slot): number {
  return takes.reduce((least, { classId, amount }) => {
    const inventory = provider.inventoryOf(classId);
    if (!inventory) return 0;
    return Math.min(least, Math.floor(Math.min(roomIn(inventory), inventory.maxUnit) / amount));
  }, Number.POSITIVE_INFINITY);
}
