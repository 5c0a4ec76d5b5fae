import { z } from 'zod'
import { exchangeSync, walletSync } from '../../db/sync-commands.ts'
import { readActiveNetworks } from '../../db/chain/read-networks.ts'
import type { ReadonlyDb } from '../../db/connect.ts'
import type { Command } from '../../db/metering/meter.ts'
import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'
import { badRequest } from '../errors.ts'
import { portfolioIdParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { syncStatusSchema } from '../shapes.ts'
import { isFresh } from '../is-fresh.ts'
import { selectPortfolios } from './select-portfolios.ts'
import { isSynced } from './sync-status.ts'

export const patchPortfolioSync = defineRoute({
  method: 'PATCH',
  path: '/portfolio/sync',
  tag: 'Portfolios',
  summary: 'Starts the sync of a portfolio, or of all of them',
  description:
    'Without `portfolioId` of all that follow a wallet or an account at an exchange. Answers `synced` when all of it was synced in the last 30 seconds; else poll GET /portfolio/status. What is stated by hand needs no sync.',
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
    const commands = await syncCommands(context.db, { portfolios, isWhole, now: context.now() })
    const isDone = commands.length === 0 && portfolios.every(isSynced)
    return { body: { status: isDone ? 'synced' : 'syncing' }, asOf: null, commands }
  },
})

/** Of several portfolios those on a network without a source are left out; of one it is 400. */
async function syncCommands(
  db: ReadonlyDb,
  { portfolios, isWhole, now }: { portfolios: readonly Portfolio[]; isWhole: boolean; now: Date },
): Promise<Command[]> {
  const active = new Set((await readActiveNetworks(db)).map(({ id }) => id as string))
  return portfolios.flatMap((portfolio) => {
    if (portfolio.kind === 'manual' || isFresh({ ...portfolio, requested: portfolio.pending }, now)) return []
    if (portfolio.kind === 'exchange') return [exchangeSync(portfolio.id)]
    const { address, networkId } = portfolio
    if (active.has(networkId)) return [walletSync({ address, networkId })]
    if (isWhole) return []
    throw badRequest(`Network not available: ${networkId}`)
  })
}
