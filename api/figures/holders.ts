import { parseWalletAddress } from '../../db/values/wallet-address.ts'
import { rangeStart, type Range } from '../../db/values/periods.ts'
import type { Database } from '../../db/schema.ts'
import type { WalletRef } from '../networks.ts'
import type { Shown } from '../route.ts'

/** What values and profits in any currency rest on. */
export const PRICE_TABLES = ['coin_quotes', 'price_days', 'price_hours', 'fx_rates'] as const
/** The same with what describes a coin. */
export const COIN_TABLES = [
  ...PRICE_TABLES,
  'coins',
  'coin_risks',
  'tokens',
] as const satisfies (keyof Database)[]

/** Wallets on the networks of a call. */
export const walletsShown = (wallets: readonly WalletRef[], question: unknown): Shown => ({
  holders: {
    wallets: wallets.map(({ address, network }) => ({
      address,
      network,
      kind: parseWalletAddress(address)!.kind,
    })),
  },
  question,
})

/** The end and the start of a range that ends now. */
export function rangeEnds(range: Range, nowMs: number): number[] {
  const startMs = rangeStart(range, nowMs)
  return startMs === null ? [nowMs] : [nowMs, startMs]
}
