// The networks of addresses in all spellings.
import { expect, test } from 'vitest';
import { networkOf } from '../../src/domain/network.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
  ['2001::1:2:3:4:5', '2001:0:0:1::/64'],
  ['2001:0:0:1::5', '2001:0:0:1::/64'],
  ['2001:0DB8:0000:0042:0:0:0:1', '2001:db8:0:42::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('the network of %j is %j', (address, network) => expect(networkOf(address)).toBe(network));
