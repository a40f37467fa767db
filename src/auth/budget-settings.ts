// The settings of the budgets of callers: names, defaults, meanings, checks.
import { z } from 'zod';
import type { BoundsByRole, BudgetSettings } from './budgets.ts';

type Row = readonly [key: keyof BudgetSettings, variable: string, argument: string, fallback: string, meaning: string];

const defaultCost = 'service=none,admin=5000000,*=500000';
const defaultRequests = 'service=none,admin=200,*=20';

export const budgetRows: readonly Row[] = [
  [
    'callerCost',
    'PLACEMENT_CALLER_COST',
    'list',
    defaultCost,
    'objects that a caller may ask for in a minute, by role; the first role in the list that it has counts, and * is every caller',
  ],
  ['callerRequests', 'PLACEMENT_CALLER_REQUESTS', 'list', defaultRequests, 'requests of a caller that are served at once, by role'],
];

const form = /^([a-z0-9_.-]+|\*)=(none|[1-9]\d{0,11})$/i;

const bounds = z
  .string()
  .refine((list) => partsOf(list).every((part) => form.test(part)), 'must be a list such as service=none,admin=1000,*=100')
  .transform(
    (list): BoundsByRole =>
      partsOf(list).map((part) => {
        const [, role = '', bound] = form.exec(part) ?? [];
        return [role, bound === 'none' ? null : Number(bound)];
      }),
  );

export const budgetShape = { callerCost: bounds.prefault(defaultCost), callerRequests: bounds.prefault(defaultRequests) };

function partsOf(list: string): string[] {
  return list.split(',').map((part) => part.trim());
}

/** A bound as it is given in the settings; other elements of lists as they are. */
export function textOfBound(element: string | BoundsByRole[number]): string {
  return typeof element === 'string' ? element : `${element[0]}=${element[1] ?? 'none'}`;
}
