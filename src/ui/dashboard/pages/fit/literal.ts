// Prints values as GraphQL literals, for queries that people copy.

/** Names of enum values have no quotes. */
const isEnumValue = (key: string | null) => key === 'groupPolicy';

export function literalOf(value: unknown, key: string | null = null, indent = ''): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return isEnumValue(key) ? value : JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return `[${value.map((item) => literalOf(item)).join(', ')}]`;
    return `[\n${value.map((item) => `${inner}${literalOf(item, null, inner)}\n`).join('')}${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value);
  const isLeaf = fields.every(
    ([, field]) => typeof field !== 'object' || (Array.isArray(field) && field.every((item) => typeof item !== 'object')),
  );
  if (isLeaf) return `{ ${fields.map(([name, field]) => `${name}: ${literalOf(field, name)}`).join(', ')} }`;
  return `{\n${fields.map(([name, field]) => `${inner}${name}: ${literalOf(field, name, inner)}\n`).join('')}${indent}}`;
}
