// The form of a request: groups with amounts, traits and aggregates. Its fields are a draft until it is sent.
import { useId, useState } from 'react';
import { useReach } from '../../data/viewer.ts';
import { formatAmount, unitOf } from '../../formats/amounts.ts';
import { Name } from '../../parts/name.tsx';
import type { NamesInUseQuery } from './fit.generated.ts';
import styles from './fit.module.css';
import { NeedsField } from './needs-field.tsx';
import { emptyGroup, emptyRequest, type FitRequest, type GroupNeeds } from './request.ts';

interface RequestFormProps {
  readonly request: FitRequest;
  readonly names: NamesInUseQuery | null;
  readonly onChoose: (request: FitRequest) => void;
}

/** What most requests ask for. An amount of 0 is none, and not asked for. */
const usual = [
  { resourceClass: 'VCPU', amount: 1 },
  { resourceClass: 'MEMORY_MB', amount: 0 },
  { resourceClass: 'DISK_GB', amount: 0 },
];
const firstGroup: GroupNeeds = { ...emptyGroup(''), resources: usual };

const withAmounts = (group: GroupNeeds): GroupNeeds => ({ ...group, resources: group.resources.filter(({ amount }) => amount > 0) });

export function RequestForm({ request, names, onChoose }: RequestFormProps) {
  const [draft, setDraft] = useState<FitRequest>(request.groups.length === 0 ? { ...emptyRequest, groups: [firstGroup] } : request);
  const classes = names?.resourceClasses.nodes.map(({ name }) => name) ?? [];
  const classList = useId();
  const setGroup = (index: number, group: GroupNeeds | null) =>
    setDraft((before) => ({
      ...before,
      groups: before.groups.flatMap((one, at) => (at !== index ? [one] : group === null ? [] : [group])),
    }));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose({ ...draft, groups: draft.groups.map(withAmounts) });
      }}
    >
      <datalist id={classList}>
        {classes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {draft.groups.map((group, index) => (
        <GroupFields
          key={group.suffix}
          group={group}
          names={names}
          classList={classList}
          isOnly={draft.groups.length === 1}
          onChange={(next) => setGroup(index, next)}
        />
      ))}
      <NeedsField
        label="Traits of the host itself"
        needs={draft.rootTraits}
        names={traitNames(names)}
        onChange={(rootTraits) => setDraft((before) => ({ ...before, rootTraits }))}
      />
      <BetweenGroups draft={draft} onChange={(next) => setDraft((before) => ({ ...before, ...next }))} />
      {useReach() === 'cloud' && (
        <label className={styles.needs}>
          Within the quotas of project
          <input
            value={draft.project}
            placeholder="external id, or nothing"
            onChange={({ target }) => setDraft((before) => ({ ...before, project: target.value.trim() }))}
          />
        </label>
      )}
      <p className={styles.buttons}>
        <button
          type="button"
          onClick={() => setDraft((before) => ({ ...before, groups: [...before.groups, emptyGroup(nextSuffix(before))] }))}
        >
          + group
        </button>
        <button type="submit" className={styles.submit}>
          Show what fits
        </button>
      </p>
    </form>
  );
}

interface BetweenGroupsProps {
  readonly draft: FitRequest;
  readonly onChange: (next: Partial<FitRequest>) => void;
}

/** Conditions between groups. */
function BetweenGroups({ draft: { groups, isolate, sameSubtree }, onChange }: BetweenGroupsProps) {
  return (
    <>
      {groups.filter(({ suffix }) => suffix !== '').length > 1 && (
        <label className={styles.check}>
          <input type="checkbox" checked={isolate} onChange={({ target }) => onChange({ isolate: target.checked })} />
          Each group from a different provider
        </label>
      )}
      {sameSubtree.map((suffixes) => (
        <p key={suffixes.join()}>
          In one subtree: <Name>{suffixes.join(', ')}</Name>{' '}
          <button type="button" onClick={() => onChange({ sameSubtree: sameSubtree.filter((one) => one !== suffixes) })}>
            Not needed
          </button>
        </p>
      ))}
    </>
  );
}

const traitNames = (names: NamesInUseQuery | null) => names?.traits.nodes.map(({ name }) => ({ key: name, label: name })) ?? [];
const aggregateNames = (names: NamesInUseQuery | null) =>
  names?.aggregates.nodes.map(({ uuid, name }) => ({ key: uuid, label: name })) ?? [];

/** The first free one of `_1`, `_2` and so on. */
function nextSuffix({ groups }: FitRequest): string {
  const taken = new Set(groups.map(({ suffix }) => suffix));
  let number = 1;
  while (taken.has(`_${number}`)) number += 1;
  return `_${number}`;
}

/** "MiB = 586 GiB" beside 600000: people think in other units than the class. */
function Unit({ amount, resourceClass }: { readonly amount: number; readonly resourceClass: string }) {
  const unit = unitOf(resourceClass);
  if (unit === null) return null;
  const words = formatAmount(amount, resourceClass);
  return <span className={styles.unit}>{words === `${amount} ${unit}` ? unit : `${unit} = ${words}`}</span>;
}

interface GroupFieldsProps {
  readonly group: GroupNeeds;
  readonly names: NamesInUseQuery | null;
  readonly classList: string;
  readonly isOnly: boolean;
  readonly onChange: (group: GroupNeeds | null) => void;
}

function GroupFields({ group, names, classList, isOnly, onChange }: GroupFieldsProps) {
  const { suffix, resources, inTree } = group;
  const setResource = (index: number, next: GroupNeeds['resources'][number] | null) =>
    onChange({ ...group, resources: resources.flatMap((one, at) => (at !== index ? [one] : next === null ? [] : [next])) });
  return (
    <fieldset className={styles.group}>
      <legend>{suffix === '' ? 'From anywhere in the tree' : <>Group {suffix}: all from one provider</>}</legend>
      {resources.map(({ resourceClass, amount }, index) => (
        // Rows are identified only by their place, because classes are typed letter by letter.
        <p key={`${suffix} ${index.toString()}`} className={styles.resource}>
          <input
            aria-label={`Resource class ${index + 1}${suffix === '' ? '' : ` of group ${suffix}`}`}
            list={classList}
            required
            pattern="[A-Z0-9_]+"
            title="A resource class, such as VCPU"
            value={resourceClass}
            onChange={({ target }) => setResource(index, { resourceClass: target.value.toUpperCase(), amount })}
          />
          <input
            aria-label={`Amount of ${resourceClass}`}
            type="number"
            min={1}
            placeholder="any"
            value={amount === 0 ? '' : amount}
            onChange={({ target }) => setResource(index, { resourceClass, amount: Math.trunc(target.valueAsNumber) || 0 })}
          />
          <Unit amount={amount} resourceClass={resourceClass} />
          <button type="button" aria-label={`Do not ask for ${resourceClass}`} onClick={() => setResource(index, null)}>
            −
          </button>
        </p>
      ))}
      <p className={styles.buttons}>
        <button type="button" onClick={() => onChange({ ...group, resources: [...resources, { resourceClass: '', amount: 1 }] })}>
          + class
        </button>
        {!isOnly && (
          <button type="button" onClick={() => onChange(null)}>
            Remove the group
          </button>
        )}
      </p>
      <NeedsField label="Traits" needs={group.traits} names={traitNames(names)} onChange={(traits) => onChange({ ...group, traits })} />
      <NeedsField
        label="In aggregates"
        needs={group.aggregates}
        names={aggregateNames(names)}
        onChange={(aggregates) => onChange({ ...group, aggregates })}
      />
      {inTree !== null && (
        <p>
          Only in the tree of <code>{inTree}</code>{' '}
          <button type="button" onClick={() => onChange({ ...group, inTree: null })}>
            Anywhere
          </button>
        </p>
      )}
    </fieldset>
  );
}
