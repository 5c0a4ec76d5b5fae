import { NOBODY } from '../chain-data.ts'
import type { ChainTransfer } from '../chain-data.ts'

/**
 * Keeps, of one-sided transfers, those of a wallet's own addresses. For each asset they move it also keeps
 * the largest transfer of others in each direction, which shows the counterparty. Empty when the wallet is
 * not involved.
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
