import { z } from 'zod'
import type { ServedLeader } from '../../db/prediction/read-traders.ts'
import { toNumber } from '../shapes.ts'

/** What a trader is and did in a period. */
export const traderShape = {
  address: z.string(),
  name: z.string().nullable(),
  avatar: z.string().nullable(),
  venue: z.enum(['polymarket', 'kalshi']),
  pnl: z.number().describe('Of the period, realised and unrealised, from the trades that are known, USD'),
  roi: z.number().describe('P&L by the money that was at work in the period, percent'),
  volume: z.number().describe('USD'),
  winRate: z.number().describe('Positions closed with a gain, of all closed in the period, 0 to 1'),
  tradesCount: z.number().int(),
  marketsTraded: z.number().int().describe('Markets with a position in the period'),
  openPositions: z.number().int(),
  openValue: z.number().describe('Of the open positions at current prices, USD'),
  labels: z
    .array(z.string())
    .describe(
      '`whale`: open positions of 10,000 USD or more; `active`: 100 trades or more; `sharp`: wins at least 60 % and made money',
    ),
}
export const traderRowSchema = z.object({
  rank: z.number().int().describe('By the chosen sort'),
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
    // The other venue names nobody.
    venue: 'polymarket',
    ...figures,
    roi: toNumber(row.roi),
    volume: toNumber(row.volume_usd),
    marketsTraded: row.markets_traded,
    openPositions: row.open_positions,
    labels: labelsOf(figures),
  }
}
