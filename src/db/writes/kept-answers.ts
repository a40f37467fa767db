// Answers that are stored under idempotency keys, and read a day later by any gateway, perhaps one of another release: each names its form.
// A release adds a form without storing it; only the next one stores it, so that the releases that meet can read what either stores (CONTRIBUTING.md).
import { UnreadableAnswer } from '../../domain/errors.ts';
import { type AnsweredPart, answersOf } from './claim-batch.ts';
import type { TogetherAnswer } from './contract.ts';

/** As the operation answered (steps/keep_answers.sql). */
const wholeForm = 1;
/** Of a claim that shared a call: only what differs from the other claims, and its providers with their generations after it (claim_together.sql). */
const claimForm = 2;

type KeptClaim = Omit<TogetherAnswer, 'apart' | 'busy'> & Omit<AnsweredPart, 'later'> & { readonly besides?: unknown };

const partsOfClaim = ['at', 'classIds', 'eventIds', 'consumerIds', 'providerRows', 'changes', 'consumers', 'providers'] as const;

/** The answer of a write function. A stored one is the first answer, marked as replayed; throws UnreadableAnswer if its form is unknown. */
export function readAnswer(answer: object): object {
  return 'replayed' in answer ? readKept(answer) : answer;
}

/** The first answer from what is stored under its key. */
export function readKept(stored: object): object {
  const { form, ...kept } = stored as { readonly form?: unknown };
  if (form === wholeForm) return { ...kept, replayed: true };
  if (form === claimForm && isKeptClaim(kept)) return { ...ofClaim(kept), replayed: true };
  throw new UnreadableAnswer();
}

function isKeptClaim(kept: object): kept is KeptClaim {
  return partsOfClaim.every((part) => part in kept);
}

function ofClaim({ changes, consumers, providers, besides, ...rest }: KeptClaim): object {
  const [answer] = answersOf([{ changes, consumers, providers, later: [] }], rest);
  return { ...answer, ...(besides != null && { besides }) };
}
