// Amounts of several resources, class by class.
import { exactAmount, formatAmount } from '../formats/amounts.ts';
import layout from './page.module.css';

export interface Held {
  readonly amount: number;
  readonly resourceClass: { readonly name: string };
}

export const resourceText = (resources: readonly Held[]): string =>
  resources.map(({ amount, resourceClass }) => `${resourceClass.name}:${amount}`).join(' ');

export const resourceList = (resources: readonly Held[]) =>
  resources.map(({ amount, resourceClass }) => ({ resourceClass: resourceClass.name, amount }));

export function Resources({ resources }: { readonly resources: readonly Held[] }) {
  if (resources.length === 0) return <span className={layout.muted}>nothing</span>;
  return (
    <ul className={layout.chips}>
      {resources.map(({ amount, resourceClass: { name } }) => (
        <li key={name} className={layout.chip} title={exactAmount(amount, name)}>
          {formatAmount(amount, name)} <span className={layout.muted}>{name}</span>
        </li>
      ))}
    </ul>
  );
}
