import ipaddr from 'ipaddr.js'

/** Azure gives its metadata at an address that looks public. */
const METADATA = new Set(['168.63.129.16'])
/** All IPv6 addresses that are assigned. Outside are forms that lead to IPv4, such as `::127.0.0.1`. */
const ASSIGNED = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address is one of the public internet: no private, shared, local, reserved or translated one
 * (IPv4-mapped, NAT64, 6to4), and no metadata service of a cloud.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false
  if (METADATA.has(text)) return false
  const address = ipaddr.parse(text)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(ASSIGNED))
}
