import { z } from 'zod'
import { exchangeSync, walletSync } from '../../db/sync-commands.ts'
import { readActiveNetworks } from '../../db/chain/read-networks.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { Command } from '../../db/metering/meter.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { badRequest } from '../errors.ts'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { syncStatusSchema } from '../shapes.ts'
import { needsSync, verificationOf } from '../is-fresh.ts'
import { selectPortfolios } from './select-portfolios.ts'
import { isSynced } from './sync-status.ts'

export const patchPortfolioSync = defineRoute({
  method: 'PATCH',
  path: '/portfolio/sync',
  tag: 'Portfolios',
  summary: 'Start the sync of one portfolio or of all portfolios',
  description:
    'Without `portfolioId`, syncs all wallets and exchange accounts. Returns `synced` when all of them were synced in the last 30 seconds or are followed with each block; otherwise poll GET /portfolio/status. Manual portfolios do not sync.',
  query: z.object({ portfolioId: portfolioIdParam().optional() }),
  response: syncStatusSchema,
  credits: 30,
  multiplied: {
    creditsAll: 300,
    items: ({ query }) => [query.portfolioId === undefined ? 'all' : 'one'],
  },
  plan: 'any',
  x402: null,
  async handler({ query }, context) {
    const { portfolios, isWhole } = await selectPortfolios(context, { query, headers: {} })
    const now = context.now()
    const syncs = await syncCommands(context.db, { portfolios, isWhole, now })
    const isDone = syncs.length === 0 && portfolios.every(isSynced)
    const wallets = portfolios.filter((portfolio) => portfolio.kind === 'wallet')
    return {
      body: { status: isDone ? 'synced' : 'syncing' },
      asOf: null,
      commands: [...syncs, ...verificationOf(wallets, now)],
    }
  },
})

/** Skips portfolios on a network without a source when all are synced; throws 400 when only that one is. */
async function syncCommands(
  db: ReadonlyDb,
  { portfolios, isWhole, now }: { portfolios: readonly Portfolio[]; isWhole: boolean; now: Date },
): Promise<Command[]> {
  const active = new Set((await readActiveNetworks(db)).map(({ id }) => id as string))
  return portfolios.flatMap((portfolio) => {
    if (portfolio.kind === 'manual' || !needsSync({ ...portfolio, requested: portfolio.isRequested }, now))
      return []
    if (portfolio.kind === 'exchange') return [exchangeSync(portfolio.id)]
    const { address, networkId } = portfolio
    if (active.has(networkId)) return [walletSync({ address, networkId })]
    if (isWhole) return []
    throw badRequest(`Network not available: ${networkId}`)
  })
}
