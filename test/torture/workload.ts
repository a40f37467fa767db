// The clients of a run: each sends random operations, one after the other, to any gateway; repeats what is safe to repeat; and records everything.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dice, diceOf } from '../support/dice.ts';
import { allocationPlans, momentIn, mutation, type Plan, type Planner, readConsumer, releaseOf } from './allocation-plans.ts';
import { Client } from './client.ts';
import { type Cloud, pick } from './cloud.ts';
import { type Answer, type Operation, outcomeOf } from './history.ts';
import { novaPlans } from './nova-plans.ts';
import { providerPlans, readProviders } from './provider-plans.ts';
import { confirmationOf, crowdOf, timePlans } from './time-plans.ts';

/** Where the gateways listen at the moment; null: it does not. */
export type Urls = () => readonly (string | null)[];

export interface Workload {
  readonly cloud: Cloud;
  readonly urls: Urls;
  readonly seed: number;
  readonly history: Operation[];
  /** Which operations the clients send, and how often. */
  readonly mix?: Mix;
}

/** A trait that is never deleted. */
export const commonTrait = 'CUSTOM_COMMON';

const patience = { attempts: 40, pause: 150 } as const;

/** Creates the providers, before anything fails: such as are soon full, or roomy ones for projects whose quotas nobody reaches. */
export async function foundCloud(work: Workload, isRoomy = false): Promise<void> {
  const { cloud } = work;
  const founder = new Sender('founder', diceOf(work.seed), work, true);
  const fields = 'resourceProvider { uuid generation }';
  await founder.perform(mutation('createTrait', { name: commonTrait, ifExists: 'RETURN' }, ''));
  const provider = async (uuid: string, name: string, vcpus: number, memory = 64) => {
    const created = mutation('createResourceProvider', { uuid, name }, fields, { alwaysWrites: true });
    const inventories = isRoomy
      ? ['VCPU', 'MEMORY_MB', 'DISK_GB'].map((resourceClass) => ({ resourceClass, total: 10_000 * vcpus }))
      : [
          { resourceClass: 'VCPU', total: vcpus, maxUnit: 3 },
          { resourceClass: 'MEMORY_MB', total: memory },
        ];
    const filled = mutation('replaceInventories', { resourceProvider: uuid, expect: { unchecked: true }, inventories }, fields, {
      alwaysWrites: true,
    });
    for (const plan of [created, filled]) {
      const { outcome, answers } = await founder.perform(plan);
      if (outcome !== 'ok') throw new Error(`the cloud cannot be founded: ${plan.name}: ${JSON.stringify(answers)}`);
    }
  };
  const quotas = [
    { resourceClass: 'VCPU', amount: 1_000_000 },
    { resourceClass: 'VCPU', consumerType: 'MIGRATION', amount: null },
    { resourceClass: 'MEMORY_MB', consumerType: 'INSTANCE', amount: null },
    { consumerType: 'INSTANCE', amount: null },
  ];
  for (const project of isRoomy ? cloud.projects : [])
    await founder.perform(mutation('replaceQuotas', { expect: { unchecked: true }, project, quotas }, ''));
  for (const uuid of cloud.steady) await provider(uuid, `steady ${uuid}`, 10);
  for (const uuid of cloud.changing) await provider(uuid, `changing ${uuid}`, 12);
  for (const uuid of cloud.loose) await provider(uuid, `loose ${uuid}`, 8);
  for (const uuid of cloud.wide) await provider(uuid, `wide ${uuid}`, 1, 1_000_000);
  founder.close();
}

/** Runs clients until they are told to stop, and waits for their last operations. */
export async function runClients(work: Workload, count: number, isOver: () => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const roll = diceOf(work.seed * 1000 + index);
      const sender = new Sender(`client ${index}`, roll, work);
      while (!isOver()) {
        const plan = planAtRandom(roll, work.cloud, work.mix);
        const { outcome } = await sender.perform(plan);
        if (outcome !== 'ok') for (const place of plan.places ?? []) await sender.perform(readConsumer(roll, place));
        await sleep(roll(6));
      }
      sender.close();
    }),
  );
}

/** Lets a team write at once, again and again: such writes share calls. With a key, only those of new consumers do. */
export async function runTeam(work: Workload, isOver: () => boolean): Promise<void> {
  const roll = diceOf(work.seed * 1000 + 998);
  const sender = new Sender('team', roll, work);
  const begun: Promise<unknown>[] = [];
  while (!isOver()) {
    const plans = Array.from({ length: 10 + roll(20) }, () => pick(roll, Object.values(allocationPlans))(roll, work.cloud));
    const writes = plans.map(async (plan) => {
      const { outcome } = await sender.perform({ ...plan, takesKey: plan.takesKey && roll(4) === 0 });
      if (outcome !== 'ok') for (const place of plan.places ?? []) await sender.perform(readConsumer(roll, place));
    });
    begun.push(...writes);
    // A fault holds up some of them for long.
    await Promise.race([Promise.all(writes), sleep(500)]);
    await sleep(roll(20));
  }
  await Promise.all(begun);
  sender.close();
}

/** Lets a crowd of consumers expire at one moment, again and again. Some are confirmed just then, and released if they were. */
export async function runCrowds(work: Workload, size: number, isOver: () => boolean): Promise<void> {
  const roll = diceOf(work.seed * 1000 + 999);
  const sender = new Sender('crowd', roll, work);
  while (!isOver()) {
    const moment = performance.now() + 4000;
    const at = momentIn(4000);
    const parts = Array.from({ length: size / 100 }, () => Array.from({ length: 100 }, () => work.cloud.newUuid()));
    await Promise.all(parts.map((uuids) => sender.perform(crowdOf(roll, work.cloud, uuids, at))));
    await Promise.all(
      parts.slice(0, 5).map(async (uuids) => {
        await sleep(Math.max(moment - performance.now() + roll(1000) - 200, 0));
        const few = uuids.slice(0, 5);
        const { outcome } = await sender.perform(confirmationOf(few));
        if (outcome !== 'fail') await sender.perform(releaseOf(few));
      }),
    );
    await sleep(15_000);
  }
  sender.close();
}

const plans = { allocations: allocationPlans, providers: providerPlans, nova: novaPlans, time: timePlans };

/** How many of a hundred operations are of each kind; the others read. */
export type Mix = Readonly<Record<keyof typeof plans, number>>;

const usualMix: Mix = { allocations: 36, providers: 12, nova: 7, time: 28 };

function planAtRandom(roll: Dice, cloud: Cloud, mix: Mix = usualMix): Plan {
  let rest = roll(100);
  for (const [kind, share] of Object.entries(mix)) {
    if (rest < share) return pick(roll, Object.values<Planner>(plans[kind as keyof Mix]))(roll, cloud);
    rest -= share;
  }
  return roll(20) < 11 ? readConsumer(roll, pick(roll, cloud.places)) : readProviders(roll, cloud);
}

class Sender {
  readonly name: string;
  readonly #roll: Dice;
  readonly #work: Workload;
  readonly #isPatient: boolean;
  readonly #client = new Client();

  constructor(name: string, roll: Dice, work: Workload, isPatient = false) {
    this.name = name;
    this.#roll = roll;
    this.#work = work;
    this.#isPatient = isPatient;
  }

  /** Sends an operation until its outcome is known, as far as that is safe, and records it. */
  async perform(plan: Plan): Promise<Operation> {
    const id = `req-${this.#work.cloud.newUuid()}`;
    const key = plan.takesKey && plan.kind === 'write' && this.#roll(10) < 7 ? this.#work.cloud.newUuid() : null;
    const request = plan.request(key);
    const answers: Answer[] = [];
    const invoked = performance.now();
    let returned = Number.POSITIVE_INFINITY;
    const attempt = async (abandonAfter?: number) => {
      const answer = await this.#client.send(pick(this.#roll, this.#work.urls()), request, id, abandonAfter);
      answers.push(answer);
      if (returned === Number.POSITIVE_INFINITY && answer.outcome === 'ok') returned = performance.now();
      return answer;
    };
    // Some users are impatient, and some send the same twice or thrice at once.
    const manner = plan.kind === 'write' && !this.#isPatient ? this.#roll(20) : 20;
    if (key !== null && manner < 4) await Promise.all([attempt(), attempt(), ...(manner === 0 ? [attempt()] : [])]);
    else await attempt(manner < 7 ? 1 + this.#roll(25) : undefined);
    while (answers.length < patience.attempts && this.#mayRepeat(plan, key, answers)) {
      await sleep(patience.pause);
      await attempt();
    }
    const outcome = outcomeOf(answers);
    if (outcome === 'fail') returned = performance.now();
    const readings = answers.findLast((answer) => answer.outcome === outcome && answer.readings)?.readings ?? [];
    this.#work.cloud.learn(outcome === 'ok' ? [...readings, ...writtenBy(plan)] : readings);
    const { name, kind, expected, wanted, lasting, alwaysWrites } = plan;
    const operation: Operation = {
      ...{ id, client: this.name, name, kind, input: request.body, isKeyed: key !== null, invoked, returned, outcome, readings },
      ...(expected && { expected }),
      ...(wanted && { wanted }),
      ...(lasting && { lasting }),
      ...(alwaysWrites && { alwaysWrites }),
      answers: answers.map(({ outcome: told, code, event, readings: read }) => ({
        outcome: told,
        code,
        ...(event !== undefined && { event }),
        ...(read && { readings: read }),
      })),
    };
    this.#work.history.push(operation);
    return operation;
  }

  close(): void {
    this.#client.close();
  }

  #mayRepeat({ kind, expected = [] }: Plan, key: string | null, answers: readonly Answer[]): boolean {
    const last = answers.at(-1);
    const outcome = outcomeOf(answers);
    if (outcome === 'ok' || kind === 'read') return false;
    if (outcome === 'fail') return isPassing(last) && answers.length < 5;
    // With a key, an unknown outcome becomes known. Without one, a generation that is required comes only once.
    if (key !== null) return last?.outcome !== 'fail' || isPassing(last);
    return answers.length < 2 && expected.length > 0 && expected.every(({ generation }) => generation !== null);
  }
}

/** Whether a refusal says nothing about the operation itself. */
const isPassing = (answer: Answer | undefined) => answer?.code === 'UNAVAILABLE' || answer?.code === 'NOT_SENT';

/** What a successful write of REST, which answers nothing, has made of generations. */
const writtenBy = ({ expected = [], wanted = {} }: Plan) =>
  expected.flatMap(({ subject, uuid, generation }) =>
    subject === 'consumer' && Object.keys(wanted[uuid] ?? {}).length > 0 ? [{ subject, uuid, generation: (generation ?? 0) + 1 }] : [],
  );
