import ipaddr from 'ipaddr.js'

/** What counts as one client: an IPv4 address, or the /64 network that a subscriber has of IPv6. */
export function clientNetwork(address: string): string {
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}
