import { z } from 'zod'
import { formatDecimal, type Decimal } from '../../db/values/decimal.ts'
import { currentRate } from '../prices/current-rate.ts'
import { defiOf } from '../defi/defi-positions.ts'
import { currencyParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { convert, toNumber } from '../shapes.ts'
import { coinRows, totalsOf } from '../chain/holdings.ts'
import { answerAsOf, asOfShape } from './as-of.ts'
import { ageOf, holdingSet } from './holding-set.ts'
import { portfolioParams } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'
import { syncedWalletsOf } from './synced-wallets.ts'

const money = (what: string) => z.number().describe(what)
const percent = (of: string) => z.number().describe(`Percent of ${of}; 0 where that is 0`)

export const getPortfolioValue = defineRoute({
  method: 'GET',
  path: '/portfolio/value',
  tag: 'Portfolios',
  summary: 'What a portfolio is worth, what it cost and what it earned',
  description:
    'Sums over the coins of /portfolio/coins. BTC and ETH are folded at the prices of each instant; every other currency is the figure in USD at the rate of now.',
  query: z.object({ ...portfolioParams, ...asOfShape, currency: currencyParam() }),
  headers: shareHeaders,
  response: z.object({
    totalValue: money('Of all coins'),
    defiValue: money(
      'Of the positions that /portfolio/defi lists. A token that stands for a position is a coin as well: it is in `totalValue`',
    ),
    totalCost: money('Of what is held'),
    unrealizedProfitLoss: money('`totalValue` less `totalCost`'),
    unrealizedProfitLossPercent: percent('`totalCost`'),
    realizedProfitLoss: money('Of what was sold, spent or sent'),
    realizedProfitLossPercent: percent('what that had cost'),
    allTimeProfitLoss: money('Realised and unrealised'),
    allTimeProfitLossPercent: percent('what all coins ever acquired cost'),
  }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  needsSync: true,
  handler: (input, context) =>
    answerAsOf(context, input, async ({ db, now, selected }) => {
      const { currency } = input.query
      const rate = await currentRate(db, { currency, now })
      const set = await holdingSet(db, selected)
      const rows = set ? await coinRows(db, { ...set, now }) : []
      const { usd, btc, eth } = totalsOf(rows)
      const totals = currency === 'BTC' ? btc : currency === 'ETH' ? eth : usd
      const inCurrency = (amount: Decimal) =>
        convert({ usd: formatDecimal(amount), perUsd: totals === usd ? rate : '1' })
      const { body: defi } = await defiOf(db, await syncedWalletsOf(db, selected.portfolios))
      const defiValue =
        currency === 'BTC' || currency === 'ETH'
          ? defi.totalAssets[currency]
          : defi.totalAssets.USD * Number(rate)
      const { profit, profitPercent } = totals
      return {
        body: {
          totalValue: inCurrency(totals.value),
          defiValue,
          totalCost: inCurrency(totals.cost),
          unrealizedProfitLoss: inCurrency(profit.unrealized),
          unrealizedProfitLossPercent: toNumber(formatDecimal(profitPercent.unrealized)),
          realizedProfitLoss: inCurrency(profit.realized),
          realizedProfitLossPercent: toNumber(formatDecimal(profitPercent.realized)),
          allTimeProfitLoss: inCurrency(profit.allTime),
          allTimeProfitLossPercent: toNumber(formatDecimal(profitPercent.allTime)),
        },
        asOf: ageOf(selected.portfolios),
      }
    }),
})
