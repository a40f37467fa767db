// The order in which a tree is shown: each provider before its children, and children by name.
import { groupedBy } from '../../parts/grouped.ts';

interface Member {
  readonly uuid: string;
  readonly name: string;
  readonly parent: { readonly uuid: string } | null;
}

const byName = new Intl.Collator('en', { numeric: true });

export function inTreeOrder<Node extends Member>(members: readonly Node[]): Node[] {
  const known = new Set(members.map(({ uuid }) => uuid));
  const children = groupedBy(members, ({ parent }) => (parent && known.has(parent.uuid) ? parent.uuid : null));
  const ordered: Node[] = [];
  const visit = (parent: string | null) => {
    for (const member of (children.get(parent) ?? []).toSorted((one, other) => byName.compare(one.name, other.name))) {
      ordered.push(member);
      visit(member.uuid);
    }
  };
  visit(null);
  return ordered;
}
