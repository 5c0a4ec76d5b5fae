import { z } from 'zod'
import { LEADER_PERIODS } from '../../db/prediction/leader-periods.ts'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readTraderPlaces, readTraderSums } from '../../db/prediction/read-traders.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { isoOrNull } from './market.ts'
import { addressPath, requireTrader } from './prediction-params.ts'
import { labelsOf, traderShape } from './trader-row.ts'
import { TRADERS } from './shared-tables.ts'

const byPeriod = z
  .object({ '24h': z.number(), '1w': z.number(), '1m': z.number(), all: z.number() })
  .meta({ title: 'AmountsByPeriod' })

const schema = z
  .object({
    ...traderShape,
    pnlByPeriod: byPeriod,
    volumeByPeriod: byPeriod,
    realizedPnl: z.number(),
    unrealizedPnl: z.number(),
    biggestWin: z.number().describe('Largest profit of one closed position, USD; 0 without a profit'),
    biggestLoss: z.number().describe('Largest loss of one closed position, USD; 0 or negative'),
    categories: z.array(
      z.object({ category: z.string(), pnl: z.number(), volume: z.number(), tradesCount: z.number().int() }),
    ),
    firstTradeAt: z.string().nullable(),
    lastTradeAt: z.string().nullable(),
    profileUrl: z.string(),
  })
  .meta({ title: 'PredictionTraderDetails' })

export const getTrader = defineRoute({
  method: 'GET',
  path: '/prediction/traders/{address}',
  tag: 'Prediction markets',
  summary: 'One trader, from the first known trade on',
  pathParams: addressPath,
  response: dataSchema(schema),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...TRADERS, 'prediction_leaders', 'prediction_trades'], stamped: true },
  async handler({ path: { address } }, { db, now }) {
    const trader = await requireTrader(db, address)
    const [places, sums] = await Promise.all([readTraderPlaces(db, trader.id), readTraderSums(db, trader.id)])
    const place = (period: string) => places.find((one) => one.period === period && one.category === '')
    const all = place('all')
    const perPeriod = (pick: 'pnl_usd' | 'volume_usd') =>
      Object.fromEntries(
        LEADER_PERIODS.map((period) => [period, toNumber(place(period)?.[pick] ?? '0')]),
      ) as z.infer<typeof byPeriod>
    const figures = {
      pnl: toNumber(all?.pnl_usd ?? '0'),
      winRate: toNumber(all?.win_rate ?? '0'),
      tradesCount: all?.trades ?? 0,
      openValue: toNumber(sums.open_value_usd),
    }
    const data: z.infer<typeof schema> = {
      address: trader.address,
      name: trader.name,
      avatar: trader.avatar_url,
      venue: 'polymarket',
      ...figures,
      roi: toNumber(all?.roi ?? '0'),
      volume: toNumber(all?.volume_usd ?? '0'),
      marketsTraded: all?.markets_traded ?? 0,
      openPositions: sums.open_positions,
      labels: labelsOf(figures),
      pnlByPeriod: perPeriod('pnl_usd'),
      volumeByPeriod: perPeriod('volume_usd'),
      realizedPnl: toNumber(sums.realized_usd),
      unrealizedPnl: toNumber(sums.unrealized_usd),
      biggestWin: toNumber(sums.biggest_win),
      biggestLoss: toNumber(sums.biggest_loss),
      categories: places
        .filter(({ period, category }) => period === 'all' && category !== '')
        .map(({ category, pnl_usd: pnl, volume_usd: volume, trades }) => ({
          category,
          pnl: toNumber(pnl),
          volume: toNumber(volume),
          tradesCount: trades,
        })),
      firstTradeAt: isoOrNull(sums.first_at),
      lastTradeAt: isoOrNull(sums.last_at),
      profileUrl: `https://polymarket.com/profile/${trader.address}`,
    }
    return { body: wrapped(data, now()), asOf: await readPredictionAsOf(db, 'polymarket') }
  },
})
