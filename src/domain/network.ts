// The network of an address, for limits and counts by address.

/**
 * An IPv4 address itself, or the /64 network of an IPv6 address, because a host can use any number of addresses in its /64. Any other text is returned
 * unchanged.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [withoutZone = ''] = address.split('%', 1);
  const [before = '', after] = withoutZone.split('::', 2);
  const [left, right] = [groupsIn(before), groupsIn(after ?? '')];
  const zeros = after === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** An IPv4 address at the end stands for two groups. */
function groupsIn(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
