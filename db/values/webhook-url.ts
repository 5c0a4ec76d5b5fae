import ipaddr from 'ipaddr.js'
import { isPublicAddress } from './public-address.ts'

const PORTS = new Set(['', '443', '8443'])
const MAX_LENGTH = 2_000

/** Host and port as a URL has them: without the port if it is the default one. */
export type AllowedHosts = ReadonlySet<string>

/**
 * Why events are not sent to a URL, as a sentence without its full stop; null: they may be. `allowed`: hosts of
 * a private network that the operator opened, also without TLS and with any port. Where a name leads is checked
 * when it is resolved.
 */
export function webhookUrlRefusal(text: string, allowed: AllowedHosts): string | null {
  const url = URL.parse(text)
  if (!url || text.length > MAX_LENGTH) return `It must be a URL of at most ${MAX_LENGTH} characters`
  if (url.username !== '' || url.password !== '') return 'It must not contain a user name or password'
  if (/^https?:$/.test(url.protocol) && allowed.has(url.host)) return null
  if (url.protocol !== 'https:') return 'It must begin with https://'
  if (!PORTS.has(url.port)) return 'Its port must be 443 or 8443'
  const address = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(address) && !isPublicAddress(address)) return 'Its address must be a public one'
  return null
}
