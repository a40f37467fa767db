// Whether the operations on consumers could have happened one after the other, each between its call and its answer, and whether generations of providers
// only rise for every reader. A cycle of what must come before what is a counterexample (Adya's anomalies), found by Tarjan's algorithm in linear time.
import { describe } from './check-outcomes.ts';
import { canonical, groupedBy, type Held, heldIn, type LedgerEvent, type Operation, type Say, type Violation } from './history.ts';

type EdgeKind = 'ww' | 'wr' | 'rw' | 'rt';

interface Edge {
  readonly to: number;
  readonly kind: EdgeKind;
}

export function checkOrder(history: readonly Operation[], events: readonly LedgerEvent[]): Violation[] {
  return [...checkConsumers([...history, ...ownOperations(events)], events), ...checkProviders(history, events)];
}

/** What gateways do without being asked, as operations that may have begun and ended at any time. */
const ownOperations = (events: readonly LedgerEvent[]) =>
  events.flatMap(({ id, tag, kind }): Operation[] =>
    tag === null
      ? [
          {
            ...{ id: tagOfOwn(id), client: 'a gateway', name: kind, kind: 'write', input: null, isKeyed: false, outcome: 'unknown' },
            ...{ invoked: 0, returned: Number.POSITIVE_INFINITY, answers: [], readings: [] },
          },
        ]
      : [],
  );
const tagOfOwn = (event: number) => `own ${event}`;

/** The version after the last: the consumer is gone. */
const gone = Number.POSITIVE_INFINITY;

interface Life {
  /** By generation: the operation that wrote it, and what it wrote. */
  readonly versions: Map<number, { readonly writer: number; readonly held: Held }>;
}

function checkConsumers(history: readonly Operation[], events: readonly LedgerEvent[]): Violation[] {
  const violations: Violation[] = [];
  const say: Say = (anomaly, text) => void violations.push({ anomaly, text });
  const nodeOf = new Map(history.map(({ id }, node) => [id, node]));
  const lives = new Map<string, Life>();
  const effective = new Set<number>();
  // A late writer can bring back a consumer that was released: its generations begin anew and tell nothing about order.
  const reborn = new Set<string>();
  /** When the first operation that released a consumer began. */
  const firstRelease = new Map<string, number>();
  for (const event of events) {
    const writer = nodeOf.get(event.tag ?? tagOfOwn(event.id));
    if (writer === undefined) continue;
    effective.add(writer);
    for (const [uuid, { before, after }] of Object.entries(event.changes.consumers ?? {})) {
      const life = lives.get(uuid) ?? { versions: new Map() };
      lives.set(uuid, life);
      if (before === null && life.versions.has(gone)) reborn.add(uuid);
      if (reborn.has(uuid)) continue;
      const generation = after === null ? gone : Number(after.generation);
      if (after === null) firstRelease.set(uuid, Math.min(history[writer]?.invoked ?? gone, firstRelease.get(uuid) ?? gone));
      const other = life.versions.get(generation);
      if (other)
        say(
          'lost update',
          `generation ${generation} of ${uuid} was written by both ${at(history, other.writer)} and ${at(history, writer)}`,
        );
      life.versions.set(generation, { writer, held: heldIn(after === null ? null : { ...before, ...after }) });
    }
  }
  for (const uuid of reborn) lives.delete(uuid);
  const graph: Edge[][] = history.map(() => []);
  const add = (from: number | undefined, to: number | undefined, kind: EdgeKind) => {
    if (from !== undefined && to !== undefined && from !== to) graph[from]?.push({ to, kind });
  };
  const orders = new Map([...lives].map(([uuid, { versions }]) => [uuid, [...versions.keys()].sort((a, b) => a - b)]));
  for (const [uuid, order] of orders) {
    const versions = lives.get(uuid)?.versions;
    for (const [place, generation] of order.entries()) {
      add(versions?.get(order[place - 1] ?? 0)?.writer, versions?.get(generation)?.writer, 'ww');
    }
  }
  for (const [reader, operation] of history.entries()) {
    // What an acknowledged write tells about itself is compared with its event; its neighbours may have been read later.
    if (operation.kind === 'write' && operation.outcome !== 'fail') continue;
    for (const { subject, uuid, generation, held } of operation.readings) {
      if (subject !== 'consumer' || reborn.has(uuid)) continue;
      const { versions } = lives.get(uuid) ?? { versions: new Map<number, never>() };
      const order = orders.get(uuid) ?? [];
      // Absent before the first write, or after the last? Only told when nobody had begun to release it.
      if (generation === null && (firstRelease.get(uuid) ?? gone) < operation.returned) continue;
      const version = versions.get(generation ?? 0);
      if (generation !== null && !version) {
        say('read of what nobody wrote', `${describe(operation)} read generation ${generation} of ${uuid}`);
        continue;
      }
      add(version?.writer, reader, 'wr');
      const next = order.find((other) => other > (generation ?? 0));
      add(reader, next === undefined ? undefined : versions.get(next)?.writer, 'rw');
      if (held && generation !== null) checkShown(operation, uuid, generation, held, lives.get(uuid), say);
    }
  }
  const counted = history.map(({ kind, outcome }, node) => effective.has(node) || kind === 'read' || outcome === 'fail');
  for (const cycle of cyclesOf(history, graph, counted)) {
    say(`cycle of ${cycle.kinds.join(', ')}`, cycle.members.map((node) => at(history, node)).join(' -> '));
  }
  return violations;
}

const at = (history: readonly Operation[], node: number) => describe(history[node] as Operation);

/** What is shown beside a generation may be younger than it, but is always one whole version. */
function checkShown(operation: Operation, uuid: string, generation: number, held: Held, life: Life | undefined, say: Say): void {
  const shown = canonical(held);
  const versions = [...(life?.versions ?? [])].filter(([other]) => other >= generation);
  if (!versions.some(([, version]) => canonical(version.held) === shown)) {
    say('partial read', `${describe(operation)} read ${shown} of ${uuid} at generation ${generation}`);
  }
}

/**
 * Strongly connected components of more than one operation. Real time is a chain of moments: what returned before a moment comes before it, what was invoked
 * after it comes after it; so its edges stay linear in number.
 */
function cyclesOf(history: readonly Operation[], edges: readonly (readonly Edge[])[], counted: readonly boolean[]) {
  const graph: Edge[][] = edges.map((out) => out.filter(({ to }) => counted[to]));
  const moments = history
    .flatMap(({ invoked, returned }, node) =>
      counted[node]
        ? [
            { time: invoked, node, isReturn: false },
            { time: returned, node, isReturn: true },
          ]
        : [],
    )
    .filter(({ time }) => time !== Number.POSITIVE_INFINITY)
    .sort((a, b) => a.time - b.time || Number(a.isReturn) - Number(b.isReturn));
  let last: number | undefined;
  for (const { node, isReturn } of moments) {
    if (!isReturn) {
      if (last !== undefined) graph[last]?.push({ to: node, kind: 'rt' });
      continue;
    }
    const moment = graph.push([]) - 1;
    if (last !== undefined) graph[last]?.push({ to: moment, kind: 'rt' });
    graph[node]?.push({ to: moment, kind: 'rt' });
    last = moment;
  }
  return componentsOf(graph)
    .filter((component) => component.length > 1)
    .map((component) => {
      const inside = new Set(component);
      const kinds = new Set(component.flatMap((node) => (graph[node] ?? []).filter(({ to }) => inside.has(to)).map(({ kind }) => kind)));
      return { members: component.filter((node) => node < history.length).slice(0, 8), kinds: [...kinds].sort() };
    });
}

/** Tarjan's algorithm, without recursion: a history may be longer than the stack. */
function componentsOf(graph: readonly (readonly Edge[])[]): number[][] {
  const components: number[][] = [];
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  for (const root of graph.keys()) {
    if (index.has(root)) continue;
    const work = [{ node: root, next: 0 }];
    while (work.length > 0) {
      const frame = work[work.length - 1] as { node: number; next: number };
      const { node } = frame;
      if (frame.next === 0) {
        index.set(node, index.size);
        low.set(node, index.get(node) ?? 0);
        stack.push(node);
        onStack.add(node);
      }
      const edge = graph[node]?.[frame.next++];
      if (edge) {
        if (!index.has(edge.to)) work.push({ node: edge.to, next: 0 });
        else if (onStack.has(edge.to)) low.set(node, Math.min(low.get(node) ?? 0, index.get(edge.to) ?? 0));
        continue;
      }
      work.pop();
      const caller = work[work.length - 1];
      if (caller) low.set(caller.node, Math.min(low.get(caller.node) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== index.get(node)) continue;
      const component: number[] = [];
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        onStack.delete(member);
        component.push(member);
        if (member === node) break;
      }
      components.push(component);
    }
  }
  return components;
}

/** Generations of providers only rise, so whoever asks later sees no smaller one; of the writers that required the same one, one succeeds. */
function checkProviders(history: readonly Operation[], events: readonly LedgerEvent[]): Violation[] {
  const violations: Violation[] = [];
  const effective = new Set(events.map(({ tag }) => tag));
  // A late writer can create a provider again that was deleted: its generations begin anew and tell nothing about order.
  const deleted = new Set<string>();
  const reborn = new Set<string>();
  for (const { changes } of events) {
    for (const [uuid, { before, after }] of Object.entries(changes.providers ?? {})) {
      if (before === null && deleted.has(uuid)) reborn.add(uuid);
      if (after === null) deleted.add(uuid);
    }
  }
  const writers = groupedBy(
    history
      .filter(({ id }) => effective.has(id))
      .flatMap((operation) =>
        (operation.expected ?? []).flatMap(({ subject, uuid, generation }) =>
          subject === 'provider' && !reborn.has(uuid) ? [{ operation, version: `${uuid} at ${String(generation)}` }] : [],
        ),
      ),
    ({ version }) => version,
  );
  for (const [version, winners] of writers) {
    if (winners.length > 1) {
      const names = winners.map(({ operation }) => describe(operation)).join(' and ');
      violations.push({ anomaly: 'two winners', text: `${names} both changed ${version}` });
    }
  }
  const readings = history.flatMap((operation) =>
    operation.readings.flatMap(({ subject, uuid, generation }) =>
      subject === 'provider' && generation !== null && !reborn.has(uuid) ? [{ operation, uuid, generation }] : [],
    ),
  );
  for (const [uuid, ofProvider] of groupedBy(readings, (reading) => reading.uuid)) {
    const returns = ofProvider.toSorted((a, b) => a.operation.returned - b.operation.returned);
    let [place, highest, seenBy] = [0, -1, ''];
    for (const { operation, generation } of ofProvider.toSorted((a, b) => a.operation.invoked - b.operation.invoked)) {
      for (let earlier = returns[place]; earlier && earlier.operation.returned < operation.invoked; earlier = returns[++place]) {
        if (earlier.generation > highest) [highest, seenBy] = [earlier.generation, describe(earlier.operation)];
      }
      if (generation < highest) {
        violations.push({
          anomaly: 'stale read',
          text: `${describe(operation)} read ${uuid} at ${generation}, after ${seenBy} at ${highest}`,
        });
      }
    }
  }
  return violations;
}
