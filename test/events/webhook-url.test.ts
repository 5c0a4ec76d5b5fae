import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../db/values/public-address.ts'
import { webhookUrlRefusal } from '../../db/values/webhook-url.ts'

const NOBODY = new Set<string>()
const refusal = (url: string, allowed = NOBODY) => webhookUrlRefusal(url, allowed)

test.each(['https://hooks.example.com', 'https://hooks.example.com:8443/in?x=1', 'https://93.184.215.14/in'])(
  'events may be sent to %s',
  (url) => expect(refusal(url)).toBeNull(),
)

test.each([
  ['no URL', 'URL', 'hooks.example.com'],
  ['a URL of over 2,000 characters', '2000 characters', `https://hooks.example.com/${'x'.repeat(2_000)}`],
  ['plain HTTP', 'https://', 'http://hooks.example.com'],
  ['another protocol', 'https://', 'file:///etc/passwd'],
  ['credentials', 'password', 'https://user:word@hooks.example.com'],
  ['only a user name', 'password', 'https://user@hooks.example.com'],
  ['the port of a database', '443 or 8443', 'https://hooks.example.com:5432'],
])('%s is refused', (_name, reason, url) => expect(refusal(url)).toContain(reason))

describe('case 42 an address that is not public is refused', () => {
  test.each([
    ['0.0.0.0', 'https://0.0.0.0'],
    ['loopback', 'https://127.0.0.1'],
    ['loopback as one number', 'https://2130706433'],
    ['loopback in octal', 'https://0177.0.0.1'],
    ['loopback with fewer parts', 'https://127.1'],
    ['loopback of IPv6', 'https://[::1]'],
    ['loopback, IPv4-mapped', 'https://[::ffff:127.0.0.1]'],
    ['loopback, IPv4-compatible', 'https://[::127.0.0.1]'],
    ['loopback, by NAT64', 'https://[64:ff9b::127.0.0.1]'],
    ['loopback, by local NAT64', 'https://[64:ff9b:1::127.0.0.1]'],
    ['loopback, by 6to4', 'https://[2002:7f00:1::]'],
    ['loopback, by Teredo', 'https://[2001::7f00:1]'],
    ['a private network', 'https://192.168.0.1'],
    ['carrier-grade NAT', 'https://100.64.0.1'],
    ['metadata', 'https://169.254.169.254/latest/meta-data'],
    ['metadata of IPv6', 'https://[fd00:ec2::254]'],
    ['metadata of Alibaba', 'https://100.100.100.200'],
    ['metadata of Oracle', 'https://192.0.0.192'],
    ['metadata of Azure', 'https://168.63.129.16'],
    ['link-local', 'https://[fe80::1]'],
    ['multicast', 'https://224.0.0.1'],
    ['unassigned', 'https://[4000::1]'],
  ])('%s', (_name, url) => expect(refusal(url)).toContain('public'))

  test.each(['', 'x', '1.2.3', 'fe80::1%eth0', '::ffff:8.8.8.8'])('"%s" is no public address', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  )
  test.each(['8.8.8.8', '2606:4700::1111'])('%s is one', (text) => expect(isPublicAddress(text)).toBe(true))
})

describe('a host that the operator opened', () => {
  const allowed = new Set(['hooks.internal', '10.0.0.7:9000'])
  test.each(['https://hooks.internal/in', 'http://hooks.internal', 'http://10.0.0.7:9000/in'])(
    'receives at %s',
    (url) => expect(refusal(url, allowed)).toBeNull(),
  )
  test.each([
    'http://hooks.internal:5432',
    'https://10.0.0.7',
    'http://10.0.0.8:9000',
    'http://hooks.internal.example.com',
    'http://user:word@hooks.internal',
    'ftp://hooks.internal',
  ])('opens nothing else: %s', (url) => expect(refusal(url, allowed)).not.toBeNull())
})
