import { z } from 'zod'
import { formatDecimal, type Decimal } from '../../db/values/decimal.ts'
import { currentRate } from '../prices/current-rate.ts'
import { defiOf } from '../defi/defi-positions.ts'
import { currencyParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { convert, oldest, pendingMeta, toNumber } from '../shapes.ts'
import { priceAgeOf, totalsOf, unpricedOf, unpricedSchema } from '../chain/holdings.ts'
import { answerAsOf, asOfShape } from './as-of.ts'
import { ageOf, pendingOf, portfolioCoins } from './holding-set.ts'
import { portfolioParams } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'
import { syncedWalletsOf } from './synced-wallets.ts'

const money = (what: string) => z.number().describe(what)
const percent = (of: string) => z.number().describe(`Percent of ${of}; 0 when that is 0`)

export const getPortfolioValue = defineRoute({
  method: 'GET',
  path: '/portfolio/value',
  tag: 'Portfolios',
  summary: 'Value, cost and profit of a portfolio',
  description:
    'Sums over the coins of /portfolio/coins. Figures in BTC and ETH use the prices of each instant; in other currencies they are the USD figure at the current rate.',
  query: z.object({ ...portfolioParams, ...asOfShape, currency: currencyParam() }),
  headers: shareHeaders,
  response: z.object({
    totalValue: money('Value of all coins'),
    defiValue: money(
      'Value of the positions that /portfolio/defi lists. A token that represents a position is also a coin and counts in `totalValue`',
    ),
    unpriced: unpricedSchema(z.number()),
    totalCost: money('Cost of the coins held'),
    unrealizedProfitLoss: money('`totalValue` minus `totalCost`'),
    unrealizedProfitLossPercent: percent('`totalCost`'),
    realizedProfitLoss: money('Profit on coins sold, spent or sent'),
    realizedProfitLossPercent: percent('the cost of those coins'),
    allTimeProfitLoss: money('Realised plus unrealised profit'),
    allTimeProfitLossPercent: percent('the cost of all coins ever acquired'),
    meta: pendingMeta,
  }),
  credits: 10,
  plan: 'any',
  x402: '0.001',
  handler: (input, context) =>
    answerAsOf(context, input, async ({ db, now, selected, isPast }) => {
      const { currency } = input.query
      const rate = await currentRate(db, { currency, now })
      const { rows } = await portfolioCoins(db, { selected, now, isPast })
      const { usd, btc, eth } = totalsOf(rows)
      const unpriced = unpricedOf(rows)
      const totals = currency === 'BTC' ? btc : currency === 'ETH' ? eth : usd
      const inCurrency = (amount: Decimal) =>
        convert({ usd: formatDecimal(amount), perUsd: totals === usd ? rate : '1' })
      const { body: defi, priceAsOf: defiPriceAsOf } = await defiOf(
        db,
        await syncedWalletsOf(db, selected.portfolios),
      )
      const defiValue =
        currency === 'BTC' || currency === 'ETH'
          ? defi.totalAssets[currency]
          : defi.totalAssets.USD * Number(rate)
      const { profit, profitPercent } = totals
      return {
        body: {
          totalValue: inCurrency(totals.value),
          defiValue,
          unpriced: {
            count: unpriced.count,
            cost: inCurrency(unpriced.cost[totals === btc ? 'btc' : totals === eth ? 'eth' : 'usd']),
          },
          totalCost: inCurrency(totals.cost),
          unrealizedProfitLoss: inCurrency(profit.unrealized),
          unrealizedProfitLossPercent: toNumber(formatDecimal(profitPercent.unrealized)),
          realizedProfitLoss: inCurrency(profit.realized),
          realizedProfitLossPercent: toNumber(formatDecimal(profitPercent.realized)),
          allTimeProfitLoss: inCurrency(profit.allTime),
          allTimeProfitLossPercent: toNumber(formatDecimal(profitPercent.allTime)),
        },
        asOf: ageOf(selected.portfolios),
        priceAsOf: oldest([priceAgeOf(rows), defiPriceAsOf]),
        pending: pendingOf(selected.portfolios),
      }
    }),
})
