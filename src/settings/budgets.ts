// The settings of how much a caller may ask for.
import { z } from 'zod';
import { setting, type ValuesOf } from './setting.ts';

/** Bounds by role: of the roles in the list, the first that a caller has counts; `*` is everybody. Null for no bound. */
export type BoundsByRole = readonly (readonly [role: string, bound: number | null])[];

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

function partsOf(list: string): string[] {
  return list.split(',').map((part) => part.trim());
}

/** A bound as it is written in the settings. */
export function textOfBound([role, bound]: BoundsByRole[number]): string {
  return `${role}=${bound ?? 'none'}`;
}

export const budgetSettings = {
  callerCost: setting({
    variable: 'PLACEMENT_CALLER_COST',
    argument: 'list',
    form: bounds,
    fallback: 'service=none,admin=5000000,*=500000',
    meaning: 'objects that a caller may ask for in a minute, by role; the first of its roles in the list counts, * is everybody',
  }),
  callerRequests: setting({
    variable: 'PLACEMENT_CALLER_REQUESTS',
    argument: 'list',
    form: bounds,
    fallback: 'service=none,admin=200,*=20',
    meaning: 'requests of a caller that are served at once, by role',
  }),
};

export type BudgetSettings = ValuesOf<typeof budgetSettings>;
