import { NOBODY } from '../chain-data.ts'
import type { ChainTransfer } from '../chain-data.ts'

/**
 * Of transfers with one party each: those of a wallet's own addresses, and of each asset that they move the largest of
 * others either way, which tells whom it came from and went to. Empty when the wallet takes no part.
 */
export function keepOwn(own: ReadonlySet<string>, transfers: readonly ChainTransfer[]): ChainTransfer[] {
  const isOwn = (one: ChainTransfer) => own.has(one.from) || own.has(one.to)
  const kept = new Set(transfers.filter(isOwn))
  const tokens = new Set([...kept].map(({ token }) => token))
  const others = transfers.filter((one) => !isOwn(one) && tokens.has(one.token))
  for (const all of Map.groupBy(others, ({ token, to }) => `${token} ${to === NOBODY}`).values())
    kept.add(all.reduce((largest, one) => (one.raw > largest.raw ? one : largest)))
  return [...kept]
}
