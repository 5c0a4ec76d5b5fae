import type { ReadonlyDb } from '../../db/schema.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { findDefi } from '../defi/defi-positions.ts'
import { syncedWalletsOf } from './synced-wallets.ts'

type Found = Awaited<ReturnType<typeof findDefi>>

/** Positions of the wallets of portfolios. `pending`: ids of portfolios whose positions have not been read. */
export async function portfolioDefi(
  db: ReadonlyDb,
  portfolios: readonly Portfolio[],
): Promise<Found & { pending: string[] }> {
  const found = await findDefi(db, await syncedWalletsOf(db, portfolios))
  const keyOf = (at: { address: string; networkId: string }) => `${at.networkId}:${at.address}`
  const missing = new Set(found.unread.map(keyOf))
  const isMissing = (portfolio: Portfolio) =>
    portfolio.kind === 'wallet' && (portfolio.syncedAt === null || missing.has(keyOf(portfolio)))
  return { ...found, pending: portfolios.filter(isMissing).map(({ id }) => id) }
}
