import { z } from 'zod'
import { decimal, multiply, toNumber } from '../../db/values/decimal.ts'
import { currentRate } from '../prices/current-rate.ts'
import { currencyParam } from '../params.ts'
import { COIN_TABLES } from '../figures/holders.ts'
import { defineRoute } from '../route.ts'
import { oldest, pendingMeta } from '../shapes.ts'
import { priceAgeOf, unpricedOf, unpricedSchema } from '../chain/holdings.ts'
import { totalsIn } from '../chain/totals-in.ts'
import { answerAsOf, asOfShape } from './as-of.ts'
import { ageOf, pendingOf, portfolioCoins } from './holding-set.ts'
import { totalAssets } from '../defi/defi-positions.ts'
import { portfolioDefi } from './portfolio-defi.ts'
import { portfoliosShown } from './portfolios-shown.ts'
import { portfolioParams } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'

const money = (what: string) => z.number().describe(what)
const percent = (of: string) => z.number().describe(`Percent of ${of}; 0 when that is 0`)

export const getPortfolioValue = defineRoute({
  method: 'GET',
  path: '/portfolio/value',
  tag: 'Portfolios',
  summary: 'Value, cost and profit of a portfolio',
  description:
    'Sums over the coins of /portfolio/coins. In every currency, cost and proceeds use the rates of their own instants, values the rate of now, so that `allTimeProfitLoss` is the sum of /portfolio/pl/history.',
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
  figures: {
    holdersOf: (input, context) => (input.query.asOf ? null : portfoliosShown(input, context)),
    reads: [...COIN_TABLES, 'coin_contracts', 'networks'],
  },
  handler: (input, context) =>
    answerAsOf(context, input, async ({ db, now, selected, isPast }) => {
      const { currency } = input.query
      const [rate, { totals, rows }, { pending, ...defi }] = await Promise.all([
        currentRate(db, { currency, now }),
        totalsIn(db, { currency, now, read: () => portfolioCoins(db, { selected, now, isPast }) }),
        portfolioDefi(db, selected.portfolios),
      ])
      const { value, cost, profit, profitPercent } = totals
      const unpriced = unpricedOf(rows)
      const assets = totalAssets(defi)
      const defiValue =
        currency === 'BTC' || currency === 'ETH' ? assets[currency] : assets.USD * Number(rate)
      return {
        body: {
          totalValue: toNumber(value),
          defiValue,
          unpriced: {
            count: unpriced.count,
            cost: toNumber(
              currency === 'BTC'
                ? unpriced.cost.btc
                : currency === 'ETH'
                  ? unpriced.cost.eth
                  : multiply(unpriced.cost.usd, decimal(rate)),
            ),
          },
          totalCost: toNumber(cost),
          unrealizedProfitLoss: toNumber(profit.unrealized),
          unrealizedProfitLossPercent: toNumber(profitPercent.unrealized),
          realizedProfitLoss: toNumber(profit.realized),
          realizedProfitLossPercent: toNumber(profitPercent.realized),
          allTimeProfitLoss: toNumber(profit.allTime),
          allTimeProfitLossPercent: toNumber(profitPercent.allTime),
        },
        asOf: ageOf(selected.portfolios),
        priceAsOf: oldest([priceAgeOf(rows), defi.priceAsOf]),
        pending: [...new Set([...pendingOf(selected), ...pending])],
      }
    }),
})
