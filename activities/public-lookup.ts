import { Resolver } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../db/values/public-address.ts'

/** Returns all addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>

const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/**
 * Asks the name servers directly. The system's own look-up would also read its hosts file and search domains,
 * and a slow name server would block the few threads that all other look-ups share.
 */
export const resolveName: Resolve = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/**
 * A look-up for connections to hosts that others name. The connection goes to the addresses that were checked
 * here, so a name that changes its address afterwards gains nothing. One address that is not public refuses
 * the name.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  const publicOf = async (name: string) => {
    const addresses = await resolve(name)
    if (addresses.length === 0) throw new Error(`${name} has no address`)
    if (!addresses.every(isPublicAddress)) throw new Error(`${name} leads to an address that is not public`)
    return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  }
  return (name, { all }, callback) => {
    publicOf(name).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error: Error) => callback(error, ''),
    )
  }
}
