import { z } from 'zod'
import type { SyncedWallet } from '../../db/chain/read-syncs.ts'
import type { ReadonlyDb } from '../../db/connect.ts'
import { readBooks } from '../../db/pnl/books.ts'
import { periodProfit } from '../../db/pnl/period-profit.ts'
import { type PlPeriod, readPlPeriods } from '../../db/pnl/read.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { INTERVALS, RANGES } from '../../db/values/periods.ts'
import { currentRate } from '../currencies/current-rate.ts'
import { invalidParameter } from '../errors.ts'
import { pricedNetworks, withNetworks } from '../networks.ts'
import { walletParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { oldest } from '../shapes.ts'
import { firstCutMs, plShape, plWindow } from './pl-window.ts'
import { selectWallets } from './synced-wallets.ts'

const point = z.object({
  date: z.iso.datetime().describe('End of the period'),
  profitLoss: z.number().describe('Change of the value less external flows'),
  profitLossPercent: z.number().describe('Of the value at the start; 0 where that is none'),
})

const plHistorySchema = z.object({
  result: z.array(point),
  meta: z.object({
    currency: z.string(),
    range: z.enum(RANGES).nullable(),
    interval: z.enum(INTERVALS),
    from: z.iso.datetime().nullable(),
    to: z.iso.datetime(),
    lastSyncedAt: z.iso.datetime().nullable().describe('Oldest sync of the networks included'),
  }),
})

export const getPlHistory = defineRoute({
  method: 'GET',
  path: '/wallet/pl/history',
  tag: 'Wallets',
  summary: 'Profit and loss of a wallet over time',
  description:
    'Cash-flow-adjusted, in UTC periods of which the first and the last may be cut off by the window. `range`, or `from` and `to`. Empty before the first transaction, and when none of the networks was synced. Every amount is converted with the rate of its own instant.',
  query: withNetworks({ address: walletParam(), ...plShape }),
  response: plHistorySchema,
  credits: 25,
  multiplied: { creditsAll: 250, items: ({ query }) => pricedNetworks(query.networks) },
  plan: 'any',
  x402: null,
  async handler({ query }, { db, now }) {
    const { address, networks, interval, currency } = query
    const at = now()
    const window = plWindow(query, at.getTime())
    await currentRate(db, { currency, now: at })
    const { synced } = await selectWallets(
      db,
      networks.map((network) => ({ network, address })),
    )
    const periods = await readPeriods(db, {
      synced,
      interval,
      currency,
      fromMs: firstCutMs(window.fromMs),
      toMs: window.toMs,
    })
    const lastSyncedAt = oldest(synced.map(({ syncedAt }) => syncedAt))
    const fromMs = window.fromMs ?? periods[0]?.endMs ?? null
    return {
      body: {
        result: periods.map((period) => {
          const { profitLoss, profitLossPercent } = periodProfit(period)
          return {
            date: iso(period.endMs),
            profitLoss: toNumber(profitLoss),
            profitLossPercent: toNumber(profitLossPercent),
          }
        }),
        meta: {
          currency,
          range: window.range,
          interval,
          from: fromMs === null || synced.length === 0 ? null : iso(fromMs),
          to: iso(window.toMs),
          lastSyncedAt: lastSyncedAt?.toISOString() ?? null,
        },
      },
      asOf: lastSyncedAt,
    }
  },
})

const iso = (ms: number) => new Date(ms).toISOString()

async function readPeriods(
  db: ReadonlyDb,
  options: {
    synced: readonly SyncedWallet[]
    interval: (typeof INTERVALS)[number]
    currency: string
    fromMs: number | null
    toMs: number
  },
): Promise<PlPeriod[]> {
  const { synced, ...window } = options
  const books = await readBooks(db, synced)
  const periods = await readPlPeriods({ db, books, ...window })
  if (!periods) throw invalidParameter('currency')
  return periods
}
