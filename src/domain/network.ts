// The network from which an address comes, for bounds and counts by address.

/**
 * An address of IPv4 itself; of one of IPv6 its network of 64 bits, because its hosts have as many addresses as they like. Any other text is returned as
 * it is.
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

/** One of IPv4 at the end stands for two. */
function groupsIn(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
