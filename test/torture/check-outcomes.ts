// Whether what clients were told is what happened: acknowledged is durable, refused is without effect, unknown is all or nothing, and none is done twice.
// Uses only the recorded operations and the rows of the events.
import { canonical, groupedBy, heldIn, type LedgerEvent, type Operation, type Reading, type Say, type Violation } from './history.ts';

/** Errors after which the gateway has a bug, and those of requests that the workload must not send. */
const neverTold = new Set(['BUG', 'GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'BAD_USER_INPUT', 'FORBIDDEN']);

/** What gateways do without being asked. */
const ofGateways = new Set(['RELEASE_EXPIRED', 'END_RESERVATIONS']);

export function checkOutcomes(history: readonly Operation[], events: readonly LedgerEvent[]): Violation[] {
  const violations: Violation[] = [];
  const asked = events.filter(({ tag, kind }) => tag !== null || !ofGateways.has(kind));
  const eventsOf = groupedBy(asked, ({ tag }) => tag ?? 'untagged');
  const births = birthsIn(events);
  const writes = history.filter(({ kind }) => kind === 'write');
  const known = new Map(writes.map((operation) => [operation.id, operation]));
  for (const [tag, [first]] of eventsOf) {
    if (!known.has(tag))
      violations.push({ anomaly: 'event of nobody', text: `event ${first?.id} (${first?.kind}) belongs to no operation: ${tag}` });
  }
  for (const operation of history) {
    const bad = operation.answers.find(({ code }) => neverTold.has(code));
    if (bad) violations.push({ anomaly: 'bug told', text: `${describe(operation)}: ${bad.code}` });
  }
  for (const operation of writes) {
    const written = eventsOf.get(operation.id) ?? [];
    const say = (anomaly: string, text: string) => void violations.push({ anomaly, text: `${describe(operation)}: ${text}` });
    // A report of a compute node writes an event for its providers and one for its record, together.
    if (new Set(written.map(({ transaction }) => transaction)).size > 1 && !wasBornBetween(operation, written, births))
      say('done twice', `${operation.isKeyed ? 'with' : 'without'} a key has the events ${written.map(({ id }) => id).join(', ')}`);
    if (operation.outcome === 'fail' && written.length > 0) say('refused but done', `was told ${operation.answers[0]?.code}`);
    if (operation.outcome === 'ok') checkAcknowledged(operation, written, cameMeanwhile(operation, births, known), say);
    const [event] = written;
    if (event) checkEffects(operation, event, say);
    if (event && operation.outcome === 'ok') checkTold(operation, event, say);
  }
  return violations;
}

/** The events in which each subject came into being, by `subject uuid`. */
type Births = ReadonlyMap<string, readonly LedgerEvent[]>;

function birthsIn(events: readonly LedgerEvent[]): Births {
  const births = new Map<string, LedgerEvent[]>();
  for (const event of events) {
    for (const [noun, changed] of Object.entries(event.changes)) {
      for (const [uuid, { before }] of Object.entries(changed)) {
        const key = `${noun} ${uuid}`;
        if (before === null) births.set(key, [...(births.get(key) ?? []), event]);
      }
    }
  }
  return births;
}

const birthsOf = ({ subject, uuid }: Reading, births: Births) => births.get(`${subject}s ${uuid}`) ?? [];

/**
 * Without a key, what requires a generation can be sent again, as that comes only once; unless a late writer brought back in between what was gone: its
 * generations begin anew.
 */
function wasBornBetween({ isKeyed, expected = [] }: Operation, written: readonly LedgerEvent[], births: Births): boolean {
  const [one = 0, other = 0] = [written[0]?.id, written.at(-1)?.id];
  return !isKeyed && expected.length > 0 && expected.every((reading) => birthsOf(reading, births).some(({ id }) => id > one && id < other));
}

/** Whether something of which a generation is required came into being, perhaps again, while the operation was under way. */
function cameMeanwhile({ invoked, expected = [] }: Operation, births: Births, operations: ReadonlyMap<string, Operation>): boolean {
  const lasted = ({ tag }: LedgerEvent) => (operations.get(tag ?? '')?.returned ?? Number.POSITIVE_INFINITY) >= invoked;
  return expected.some((reading) => birthsOf(reading, births).some(lasted));
}

function checkAcknowledged(
  { answers, alwaysWrites, isKeyed, expected = [] }: Operation,
  written: readonly LedgerEvent[],
  hasComeMeanwhile: boolean,
  say: Say,
): void {
  const done = answers.filter(({ outcome }) => outcome === 'ok');
  const told = new Set(done.map(({ event }) => event).filter((event) => event !== undefined));
  if (told.size > 1) say('answers differ', `was told the events ${[...told].join(' and ')}`);
  if (written.length === 0 && (alwaysWrites || [...told].some((event) => event !== null))) {
    say('acknowledged but lost', `there is no event, told: ${[...told].join()}`);
  }
  if (written.length > 0 && told.has(null)) say('acknowledged but hidden', `event ${written[0]?.id} was written, none was told`);
  // With a key, what was done is told to everybody who repeats it. Only these refusals cannot have been true before it was done. An operation that
  // requires no generation may have met the write of somebody else between its reading and its writing; what must be new can have gone meanwhile, and
  // what must be there can have come.
  const isLasting = expected.length > 0 && expected.every(({ generation }) => generation !== null) && !hasComeMeanwhile;
  const lasting = isLasting ? lastingRefusals : reused;
  const refused = isKeyed && written.length > 0 ? answers.find(({ code }) => lasting.has(code)) : undefined;
  if (refused) say('answers differ', `was told ${refused.code}, too`);
}

const reused = new Set(['IDEMPOTENCY_KEY_REUSED']);
const lastingRefusals = new Set(['CONSUMER_CONFLICT', 'PROVIDER_CONFLICT', 'RESERVATION_CONFLICT', ...reused]);

function checkEffects({ expected = [], wanted = {}, lasting = [] }: Operation, { id, changes }: LedgerEvent, say: Say): void {
  for (const reading of expected) {
    const change = changes[`${reading.subject}s`]?.[reading.uuid];
    if (change && change.before !== null && !('generation' in change.before)) continue;
    const before = change ? (change.before?.generation ?? null) : undefined;
    if (before !== undefined && before !== reading.generation) {
      say('expectation ignored', `required ${name(reading)} but found ${String(before)} (event ${id})`);
    }
  }
  for (const [uuid, held] of Object.entries(wanted)) {
    const change = changes.consumers?.[uuid];
    const after = change ? canonical(heldIn(change.after)) : 'nothing';
    if (after !== canonical(held) && !(change === undefined && Object.keys(held).length === 0)) {
      say('partial effect', `wanted ${canonical(held)} for ${uuid}, but event ${id} says ${after}`);
    }
  }
  for (const uuid of lasting) {
    const after = changes.consumers?.[uuid]?.after;
    if (after?.expiresAt && !after.reservation)
      say('partial effect', `confirmed ${uuid}, but event ${id} lets it expire at ${after.expiresAt}`);
  }
}

function checkTold({ readings }: Operation, { id, changes }: LedgerEvent, say: Say): void {
  for (const { subject, uuid, generation } of readings) {
    const after = changes[`${subject}s`]?.[uuid]?.after?.generation;
    if (after !== undefined && generation !== null && after !== generation) {
      say('told otherwise', `was told generation ${generation} of ${subject} ${uuid}, but event ${id} says ${String(after)}`);
    }
  }
}

const name = ({ subject, uuid, generation }: Reading) => `${subject} ${uuid} at ${String(generation)}`;

/** An operation in a line. */
export function describe({ id, client, name: operation, outcome, invoked }: Operation): string {
  return `${operation} by ${client} at ${Math.round(invoked)} ms (${id}, ${outcome})`;
}
