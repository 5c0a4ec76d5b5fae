import { isAddressOf } from '../../db/values/wallet-address.ts'
import { type Network, NETWORKS } from '../../db/values/networks.ts'

/**
 * Says why nothing syncs an address of which no network was named, and what to do: the networks that it fits, and for
 * those that are off the setting that turns each on. `active`: ids of the networks that have a source.
 */
export function explainNoNetwork(address: string, active: ReadonlySet<string>): string {
  const fitting = NETWORKS.filter((one) => isAddressOf(one, address))
  const on = fitting.filter(({ id }) => active.has(id)).map(({ id }) => id)
  if (on.length > 0) return `name a network of this address: ${on.join(' or ')}`
  const off = fitting.map((one) => `${one.id} (set ${settingOf(one)})`)
  return `no network of this address has a source: ${off.join(', ')}`
}

/** The variable that gives a network its source. */
export function settingOf({ id, kind, history }: Network): string {
  const upper = (name: string) => name.toUpperCase().replaceAll('-', '_')
  return kind === 'evm' ? `RPC_URL_${upper(id)}` : `${upper(history[0]!)}_URL`
}
