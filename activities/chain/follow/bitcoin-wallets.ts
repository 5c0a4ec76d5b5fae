import type { BitcoinAddresses } from '../sources/bitcoin-addresses.ts'
import { bitcoinAddresses } from '../sources/bitcoin-addresses.ts'
import { addressOf, scriptOf } from '../sources/bitcoin-scripts.ts'
import type { AddressSet } from './address-set.ts'

/**
 * The output scripts of a network's wallets: of an extended key those of its used addresses, and of the next
 * unused ones of each branch.
 */
export interface BitcoinWallets {
  /** `used`: addresses of an extended key that have transactions */
  add: (wallet: string, used: readonly string[]) => void
  /** The address of a script that may be a wallet's. null: it is none's */
  addressOf: (script: string) => string | null
  mayOwn: (address: string) => boolean
  /** The wallet of an address: the address itself, or the extended key that it is derived from. */
  walletOf: (address: string) => string
  /** Notes that an address has a transaction. true: further addresses of its key are matched from now on. */
  use: (address: string) => boolean
}

interface Key {
  wallet: string
  walk: BitcoinAddresses
  /** derived addresses of each branch */
  derived: number[]
}

export function createBitcoinWallets(set: AddressSet): BitcoinWallets {
  const keys = new Map<string, Key>()
  const places = new Map<string, { key: Key; branch: number; index: number }>()

  /** Derives the addresses of a branch up to an index, exclusive. Returns whether there were new ones. */
  function derive(key: Key, branch: number, end: number): boolean {
    const from = key.derived[branch]!
    if (from >= end) return false
    for (let index = from; index < end; index++) {
      const address = key.walk.addressAt(branch, index)!
      places.set(address, { key, branch, index })
      set.add(scriptOf(address))
    }
    key.derived[branch] = end
    return true
  }

  function use(address: string): boolean {
    const place = places.get(address)
    if (!place) return false
    const { key, branch, index } = place
    return derive(key, branch, index + 1 + key.walk.gapLimit)
  }

  function add(wallet: string, used: readonly string[]): void {
    const walk = keys.get(wallet)?.walk ?? bitcoinAddresses(wallet)
    if (walk.gapLimit === 0) {
      set.add(scriptOf(wallet))
      return
    }
    const key = keys.get(wallet) ?? { wallet, walk, derived: Array.from({ length: walk.branches }, () => 0) }
    keys.set(wallet, key)
    for (let branch = 0; branch < walk.branches; branch++) derive(key, branch, walk.gapLimit)
    // A used address makes the next ones known, and one of them may be used too.
    while (used.filter(use).length > 0) continue
  }

  return {
    add,
    use,
    mayOwn: (address) => set.mayHave(scriptOf(address)),
    addressOf: (script) => (set.mayHave(script) ? addressOf(script) : null),
    walletOf: (address) => places.get(address)?.key.wallet ?? address,
  }
}
