// What is done with a trait: as the input of a write, and in words.
import type { PatchTraitsInput } from './actions.generated.ts';
import { countHosts } from './inventory-patch.ts';

export const disabledTrait = 'COMPUTE_STATUS_DISABLED';

export interface Draft {
  readonly trait: string;
  /** Whether it is removed, not set. */
  readonly isTaken: boolean;
}

export const traitsOf = ({ trait, isTaken }: Draft): Pick<PatchTraitsInput, 'add' | 'remove'> =>
  isTaken ? { remove: [trait] } : { add: [trait] };

/** "1 host no longer exists". */
export const goneWords = (count: number): string => (count === 1 ? '1 host no longer exists' : `${countHosts(count)} no longer exist`);

/** "24 hosts disabled". */
export function traitWords({ trait, isTaken }: Draft, where: string): string {
  if (trait === disabledTrait) return `${where} ${isTaken ? 'enabled' : 'disabled'}`;
  return isTaken ? `${trait} removed from ${where}` : `${trait} set on ${where}`;
}
