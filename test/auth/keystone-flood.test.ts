// Examination. Floods of invalid tokens, all different, so that remembering bad tokens does not help: how they affect other callers while Keystone is slow.
// A fake Keystone answers when the test says so: the order of validations is tested, not the time.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Authentication } from '../../src/auth/callers/method.ts';
import { shapeOf } from '../../src/auth/keystone/token-shape.ts';
import { type TurnBounds, Turns } from '../../src/auth/keystone/turns.ts';
import { validations } from '../support/fake-keystone.ts';
import { ask, fake, open, useFakeKeystone } from '../support/fake-keystone-callers.ts';

useFakeKeystone();

const fernetLike = () => {
  const token = randomBytes(1 + 8 + 16 + 96 + 32);
  token[0] = 0x80;
  token.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000)), 1);
  return token.toString('base64url');
};
const garbage = () => randomBytes(40).toString('hex');

/** A Keystone that answers on command. */
function slow() {
  const waiting: (() => void)[] = [];
  let isSlow = true;
  fake.keystone.onValidate = (_request, response) => {
    if (!isSlow) return false;
    const end = response.end.bind(response) as (text: string) => ServerResponse;
    response.end = ((text: string) => {
      waiting.push(() => end(text));
      return response;
    }) as typeof response.end;
    return false;
  };
  const answer = (count = waiting.length) => {
    for (const go of waiting.splice(0, count)) go();
  };
  return {
    answer,
    /** Answers the validations one by one. */
    async answerUntil(isEnough: () => boolean) {
      const answerOne = () => {
        if (!isEnough()) answer(1);
        return isEnough();
      };
      await expect.poll(answerOne, { interval: 5 }).toBe(true);
    },
    /** The number of validations that wait for an answer. */
    asked: () => waiting.length,
    release() {
      isSlow = false;
      answer();
    },
  };
}

const flood = (authentication: Authentication, count: number, make: () => string, ip: string) =>
  Array.from({ length: count }, () => ask(authentication, make(), {}, undefined, ip).catch((error: Error) => error.name));

/** The number of validations until that of this token. */
const placeOf = (token: string) => validations(fake.keystone).findIndex((line) => line.endsWith(` ${token}`)) + 1;

describe('while one address floods a slow Keystone', () => {
  test('a good new token from another address is validated immediately, however many wait', async () => {
    const authentication = await open();
    const keystone = slow();
    const flooded = flood(authentication, 2000, fernetLike, '192.0.2.66');
    await expect.poll(keystone.asked).toBe(6);
    const asked = ask(authentication, 'good', {}, undefined, '192.0.2.1');
    await expect.poll(keystone.asked).toBe(7);
    expect(placeOf('good')).toBe(7);
    keystone.release();
    expect(await asked).toMatchObject({ user: 'ann-id' });
    const answers = await Promise.all(flooded);
    // 6 in progress and 250 waiting; all others were refused immediately.
    expect(answers.filter((answer) => answer === null)).toHaveLength(256);
    expect(answers.filter((answer) => answer === 'Overloaded')).toHaveLength(2000 - 256);
  });

  test('known tokens are accepted without a validation', async () => {
    const authentication = await open();
    await ask(authentication, 'good');
    const keystone = slow();
    const flooded = flood(authentication, 2000, fernetLike, '192.0.2.66');
    const { authenticate } = authentication;
    const request = { headers: { 'x-auth-token': 'good' }, method: 'GET', target: { path: '/' }, ip: '192.0.2.66' };
    expect(authenticate(request)).toMatchObject({ user: 'ann-id' });
    keystone.release();
    await Promise.all(flooded);
  });

  test('all hosts of an IPv6 network count as one source', async () => {
    const authentication = await open();
    const keystone = slow();
    const flooded = Array.from({ length: 200 }, (_, host) =>
      flood(authentication, 1, fernetLike, `2001:db8:0:66::${host.toString(16)}`),
    ).flat();
    await expect.poll(keystone.asked).toBe(6);
    const asked = ask(authentication, 'good', {}, undefined, '2001:db8:0:1::1');
    await expect.poll(keystone.asked).toBe(7);
    keystone.release();
    await Promise.all([asked, ...flooded]);
  });
});

describe('while many addresses flood it', () => {
  test('a new address waits for at most one turn of each other address', async () => {
    const authentication = await open();
    const keystone = slow();
    const floods = Array.from({ length: 40 }, (_, host) => flood(authentication, 100, fernetLike, `192.0.2.${host}`)).flat();
    await expect.poll(keystone.asked).toBe(8);
    const asked = ask(authentication, 'good', {}, undefined, '198.51.100.1');
    await keystone.answerUntil(() => placeOf('good') > 0);
    expect(placeOf('good')).toBeGreaterThan(0);
    expect(placeOf('good') - 8).toBeLessThanOrEqual(40 + 1);
    keystone.release();
    expect(await asked).not.toBeNull();
    await Promise.all(floods);
  });
});

describe('behind a proxy, where all callers have one address', () => {
  test('a token in the format of this Keystone goes before others, and one that was good earlier goes before all', async () => {
    const [usual, renewed] = [fernetLike(), fernetLike()];
    for (const token of [usual, renewed]) fake.keystone.tokens.set(token, {});
    const authentication = await open({ PLACEMENT_KEYSTONE_TOKEN_CACHE_TIME: '1' });
    await ask(authentication, renewed);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    const keystone = slow();
    const floods = [flood(authentication, 200, garbage, '127.0.0.1'), flood(authentication, 20, fernetLike, '127.0.0.1')].flat();
    await expect.poll(keystone.asked).toBe(6);
    const before = validations(fake.keystone).length;
    const asked = [ask(authentication, usual), ask(authentication, renewed)];
    await keystone.answerUntil(() => placeOf(usual) > 0 && placeOf(renewed) > 0);
    const again = validations(fake.keystone).findLastIndex((line) => line.endsWith(` ${renewed}`)) + 1;
    expect(again - before).toBeLessThanOrEqual(2);
    // Behind 20 of the same format; one turn of four is for the others.
    expect(placeOf(usual) - before).toBeLessThanOrEqual(30);
    keystone.release();
    for (const identity of await Promise.all(asked)) expect(identity).not.toBeNull();
    await Promise.all(floods);
  });

  test('it is admitted when only others wait, even if the queue is full', async () => {
    const usual = fernetLike();
    fake.keystone.tokens.set(usual, {});
    const authentication = await open();
    const keystone = slow();
    const floods = flood(authentication, 2000, garbage, '127.0.0.1');
    const asked = ask(authentication, usual);
    keystone.release();
    expect(await asked).not.toBeNull();
    await Promise.all(floods);
  });
});

test.each([
  ['gAAAAABlZvMTd0Zzv6bX8pQ', 'other'],
  [fernetLike(), 'fernet'],
  [`${fernetLike()}=`, 'fernet'],
  [fernetLike().slice(0, -5), 'other'],
  ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', 'jws'],
  ['0123456789abcdef0123456789abcdef', 'uuid'],
  ['anything else', 'other'],
])('the format of %s is %s', (token, shape) => expect(shapeOf(token)).toBe(shape));

describe('turns', () => {
  const bounds: TurnBounds = { atOnce: { least: 2, first: 2, most: 2 }, mostWaiting: 6, mostWaitingOfSource: 4 };
  const never = new AbortController().signal;

  test('never exceed the limit, whichever caller starts, ends or gives up, and none is lost', async () => {
    const turns = new Turns(bounds);
    let [working, most, done, refused] = [0, 0, 0, 0];
    const workingOf = new Map<string, number>();
    const one = async (index: number) => {
      const source = `s${index % 5}`;
      const deadline = index % 7 === 0 ? AbortSignal.timeout(5) : never;
      await turns.run(deadline, { source, rank: (index % 3) as 0 | 1 | 2 }, async () => {
        working += 1;
        workingOf.set(source, (workingOf.get(source) ?? 0) + 1);
        most = Math.max(most, working);
        expect(workingOf.get(source)).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, index % 4));
        working -= 1;
        workingOf.set(source, 0);
        done += 1;
        if (index % 5 === 0) throw new Error('failed');
      });
    };
    const all: Promise<unknown>[] = [];
    for (let index = 0; index < 400; index += 1) {
      all.push(one(index).catch(() => (refused += 1)));
      if (index % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(all);
    expect(most).toBe(2);
    expect(done).toBeGreaterThan(100);
    await Promise.all(Array.from({ length: 5 }, (_, index) => turns.run(never, { source: `t${index}`, rank: 0 }, async () => {})));
  });
});
