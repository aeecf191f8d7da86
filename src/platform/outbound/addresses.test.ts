import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './addresses.ts'

test('the network of an address is itself, or the /64 of IPv6', () => {
  const cases: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:0:12::1', '2001:db8:0:12::/64'],
    ['2001:0db8:0000:0012:aaaa:bbbb:cccc:dddd', '2001:db8:0:12::/64'],
    ['2001:DB8:0:12::1', '2001:db8:0:12::/64'],
    ['::1', '::/64'],
    ['fe80::1', 'fe80::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
  ]
  for (const [address, network] of cases) assert.equal(networkOf(address), network, address)
  assert.notEqual(networkOf('2001:db8:0:12::1'), networkOf('2001:db8:0:13::1'))
})

// A port changes with every connection: taken for a part of the address, each would be somebody else.
test('the port that some proxies write behind an address is no part of it', () => {
  assert.equal(networkOf('192.0.2.7:50123'), '192.0.2.7')
  assert.equal(networkOf('[2001:db8:0:12::1]:50123'), '2001:db8:0:12::/64')
  assert.equal(networkOf('[2001:db8:0:12::1]'), '2001:db8:0:12::/64')
})

test('what is no address stands for itself, up to a length', () => {
  for (const text of ['', 'unknown', '_hidden', '192.0.2', ':::', '[x]:1']) assert.ok(networkOf(text).length <= 100)
  assert.equal(networkOf('unknown'), 'unknown')
  assert.equal(networkOf('x'.repeat(5000)).length, 100)
})
