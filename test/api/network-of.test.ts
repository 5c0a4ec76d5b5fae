import { expect, test } from 'vitest'
import { networkOf } from '../../api/network-of.ts'

test('all addresses of a /64 are one network, in every spelling', () => {
  for (const address of [
    '2001:db8:1:2::1',
    '2001:0db8:0001:0002:ffff:0:0:1',
    '2001:DB8:1:2:a:b:c:d',
    '2001:db8:1:2::%eth0',
  ])
    expect(networkOf(address)).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'))
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
})

test('an IPv4 address is its own network, and other text stays unchanged', () => {
  for (const name of ['192.0.2.1', '0x9a7d', '', 'a:b']) expect(networkOf(name)).toBe(name)
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
})
