import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The network under which an address is counted. One client owns a whole IPv6 /64 and may use another address
 * of it for each request. Text that is not an address is returned unchanged.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)
  if (mapped) return mapped[1]!
  const [bare] = address.split('%') as [string]
  if (!isIPv6(bare)) return address
  // URL normalizes the address, so that one network has one spelling.
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
