import { z } from 'zod'
import type { ServedLeader } from '../../db/prediction/read-traders.ts'
import { toNumber } from '../shapes.ts'

/** Identity of a trader and the figures of one period. */
export const traderShape = {
  address: z.string(),
  name: z.string().nullable(),
  avatar: z.string().nullable(),
  venue: z.enum(['polymarket', 'kalshi']),
  pnl: z.number().describe('Realised and unrealised profit in the period, from the known trades, USD'),
  roi: z.number().describe('P&L divided by the capital used in the period, percent'),
  volume: z.number().describe('USD'),
  winRate: z.number().describe('Share of the positions closed in the period that made a profit, 0 to 1'),
  tradesCount: z.number().int(),
  marketsTraded: z.number().int().describe('Markets with a position in the period'),
  openPositions: z.number().int(),
  openValue: z.number().describe('Value of the open positions at current prices, USD'),
  labels: z
    .array(z.string())
    .describe(
      '`whale`: open positions of 10,000 USD or more; `active`: 100 trades or more; `sharp`: win rate of at least 60 % and a profit',
    ),
}
export const traderRowSchema = z.object({
  rank: z.number().int().describe('Rank by `sortBy`'),
  ...traderShape,
})

interface Figures {
  pnl: number
  winRate: number
  tradesCount: number
  openValue: number
}

export function labelsOf({ pnl, winRate, tradesCount, openValue }: Figures): string[] {
  return [
    ...(openValue >= 10_000 ? ['whale'] : []),
    ...(tradesCount >= 100 ? ['active'] : []),
    ...(winRate >= 0.6 && pnl > 0 ? ['sharp'] : []),
  ]
}

export function toTraderRow(row: ServedLeader): z.infer<typeof traderRowSchema> {
  const figures = {
    pnl: toNumber(row.pnl_usd),
    winRate: toNumber(row.win_rate),
    tradesCount: row.trades,
    openValue: toNumber(row.open_value_usd),
  }
  return {
    rank: row.rank,
    address: row.address,
    name: row.name,
    avatar: row.avatar_url,
    // Kalshi does not identify traders.
    venue: 'polymarket',
    ...figures,
    roi: toNumber(row.roi),
    volume: toNumber(row.volume_usd),
    marketsTraded: row.markets_traded,
    openPositions: row.open_positions,
    labels: labelsOf(figures),
  }
}
